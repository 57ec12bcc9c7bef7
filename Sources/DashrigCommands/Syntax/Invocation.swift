public import DashrigClient
internal import LinuxIO
internal import RigModel

/// How commands reach a rig: where it is, how long to wait for it, and what ends a wait.
public struct RigAccess: Sendable {
    /// The folder of its sockets.
    public var directory: SocketDirectory
    /// How long an answer may take when the command line says so, in nanoseconds.
    public var timeout: UInt64?
    /// A descriptor that becomes readable when the program is to end.
    public var interrupt: Int32?

    /// States a way.
    public init(directory: SocketDirectory, timeout: UInt64? = nil, interrupt: Int32? = nil) {
        self.directory = directory
        self.timeout = timeout
        self.interrupt = interrupt
    }

    var callTimeout: UInt64 { timeout ?? RigConnection.standardTimeout }

    func events(_ filter: EventFilter = EventFilter()) -> RigEventCursor {
        RigEventCursor(socketDirectory: directory, filter: filter, timeout: callTimeout, interrupt: interrupt)
    }
}

/// One call of a command: what it was given, and where its words go.
struct Invocation {
    let arguments: Arguments
    let output: Output
    let access: RigAccess
    /// The machine that `doctor` looks at.
    let machine: Machine

    /// A connection for calls, which explains long waits to a person who watches.
    func connect() throws(CommandLineFailure) -> RigConnection {
        let connection = try ask { () throws(ClientFailure) in
            try RigConnection(
                socketDirectory: access.directory, timeout: access.callTimeout, interrupt: access.interrupt)
        }
        if output.showsProgress {
            connection.onWait = { [output] waited in
                Self.showWait("waiting for the rig", waited, output)
            }
        }
        return connection
    }

    /// Asks the rig something. What was shown while it was waited for is taken away.
    func ask<Answer>(_ body: () throws(ClientFailure) -> Answer) throws(CommandLineFailure) -> Answer {
        defer { output.clearProgress() }
        return try follow(body)
    }

    /// Takes the next of several things that the rig tells, and leaves alone what is shown meanwhile.
    func follow<Answer>(_ body: () throws(ClientFailure) -> Answer) throws(CommandLineFailure) -> Answer {
        do {
            return try body()
        } catch {
            throw .rig(error)
        }
    }

    /// From when on a person is told that something is waited for.
    static let progressDelay: UInt64 = 2_000_000_000

    static func showWait(_ text: String, _ waited: UInt64, _ output: Output) {
        guard waited >= progressDelay else { return }
        output.progress("\(text) (\(waited / 1_000_000_000) s, Ctrl-C stops)")
    }
}
