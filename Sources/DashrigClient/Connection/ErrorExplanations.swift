internal import VarlinkProtocol

/// Finds the text that the rig puts beside an error's declared fields: a member `org.dashrig` of the reply, which the
/// protocol lets everybody else ignore. Costs next to nothing while there are no errors.
struct ErrorExplanations {
    /// The beginning of the first record of the last read, which came with the reads before.
    private var head: [UInt8] = []
    /// The beginning of a record whose end has not come yet.
    private var unfinished: [UInt8] = []
    /// How much of the last read was looked through.
    private var offset = 0

    private static let vendorKey = "org.dashrig"
    /// An error is short; of a longer unfinished record nothing is kept, since it is a state.
    private static let longest = 65_536

    /// Takes note of a read.
    mutating func begin(_ bytes: ArraySlice<UInt8>) {
        head = unfinished
        offset = 0
        if let end = bytes.lastIndex(of: 0) {
            unfinished = Array(bytes[(end + 1)...])
        } else {
            unfinished = head.count + bytes.count > Self.longest ? [] : head + bytes
            head = []
        }
    }

    /// The text beside the next error of a name in the last read, nothing when there is none.
    mutating func take(_ name: String, in bytes: ArraySlice<UInt8>) -> String? {
        let all = head + bytes
        while let end = all[offset...].firstIndex(of: 0) {
            let record = all[offset..<end]
            offset = end + 1
            guard let reply = try? JSON.parse(record).objectValue, reply["error"]?.stringValue == name else { continue }
            return reply[Self.vendorKey]?.objectValue?["text"]?.stringValue
        }
        return nil
    }
}
