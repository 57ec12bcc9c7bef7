import LinkProtocol

/// One link: its decoder, one machine with a peer that does anything, or two machines on a bad cable.
///
/// Input: one byte says which, then each part's own.
enum LinkTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        switch input.int(0...6) {
        case 0: try LinkDecoding.run(&input)
        case 1: try LinkBench.run(&input, side: .accessory)
        case 2: try LinkBench.run(&input, side: .device)
        case 3: try LinkPair.run(&input)
        case 4: try LinkBench.run(&input, side: .accessory, isWide: true)
        case 5: try LinkBench.run(&input, side: .device, isWide: true)
        default: try LinkPair.run(&input, isWide: true)
        }
    }
}
