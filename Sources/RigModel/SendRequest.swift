/// Have one side of a session send a message of the control session.
public struct SendRequest: Equatable, Sendable {
    /// The device whose session it is.
    public var device: String
    /// The generation that the caller means, or `nil` for any.
    public var generation: UInt32?
    /// The message's name in the catalogue, or its number as `0x5001`.
    public var message: String
    /// Its fields by name: an object; groups are objects, what may be there more than once are lists.
    public var fields: RecordValue
    /// Which side sends it; `nil` for the one that the catalogue names. A message that it does not know needs one. The
    /// other side than the rig's can only be made to send when it is simulated.
    public var sender: LinkSide?

    /// States a wish.
    public init(
        device: String, generation: UInt32? = nil, message: String, fields: RecordValue = .object([]),
        sender: LinkSide? = nil
    ) {
        self.device = device
        self.generation = generation
        self.message = message
        self.fields = fields
        self.sender = sender
    }
}
