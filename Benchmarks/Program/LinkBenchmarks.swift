import CBenchmarks
import LinkProtocol
import WireBytes

/// The link: what comes in is parsed, checked, handed up and acknowledged; what goes out is built and kept until it is
/// acknowledged.
enum LinkBenchmarks {
    static var all: [Benchmark] {
        [
            checksum(size: 4_086), receive(length: 4_096, reads: .whole), receive(length: 4_096, reads: .cut(512)),
            receive(length: 64, reads: .whole), pair(payload: 4_086), pair(payload: 54),
        ]
    }

    enum Reads {
        /// All packets in one read.
        case whole
        /// Reads of so many bytes, as a bulk endpoint gives them.
        case cut(Int)
    }

    /// Packets in one pass; numbers wrap after it.
    private static let packets = 256

    static func checksum(size: Int) -> Benchmark {
        let bytes = [UInt8](repeating: 0xA5, count: size)
        return Benchmark(
            name: "link.checksum-\(size)", unit: "GB", unitsPerRun: Double(size) / 1e9, itemsPerRun: 1,
            work: { bench_keep(Checksum.twosComplement(of: bytes[...])) },
            baseline: { bytes.withUnsafeBufferPointer { bench_keep(bench_sum($0.baseAddress, $0.count)) } })
    }

    /// A link that receives packets of `length` bytes: parse, both checksums, hand up, acknowledge.
    static func receive(length: Int, reads: Reads) -> Benchmark {
        let end = LinkEnds.established()
        var machine = end.device
        var output = LinkOutput()
        var now: UInt64 = 0
        let stream = stream(length: length)
        let name: String
        let chunks: [ArraySlice<UInt8>]
        switch reads {
        case .whole:
            name = "link.receive-\(length)"
            chunks = [stream[...]]
        case .cut(let size):
            name = "link.receive-\(length)-in-\(size)"
            chunks = stride(from: 0, to: stream.count, by: size).map {
                stream[$0..<min($0 + size, stream.count)]
            }
        }
        let payloads = UnsafeMutablePointer<UInt8>.allocate(capacity: stream.count)
        let acknowledgements = UnsafeMutablePointer<UInt8>.allocate(capacity: packets * 9)
        let count = UInt32(LinkSynchronization.accessoryDefault.maximumCumulativeAcknowledgements)
        return Benchmark(
            name: name, unit: "GB", unitsPerRun: Double(stream.count) / 1e9, itemsPerRun: Double(packets),
            work: {
                now += 1_000
                for chunk in chunks {
                    machine.receive(chunk, now: now, into: &output)
                    bench_keep(UInt8(truncatingIfNeeded: output.payloads.count))
                    output.removeAll()
                }
                precondition(machine.phase == .established)
            },
            baseline: {
                let found = stream.withUnsafeBufferPointer {
                    bench_link_loop($0.baseAddress, $0.count, count, payloads, acknowledgements)
                }
                precondition(found == packets)
            })
    }

    /// Two ends: one sends payloads, the other receives and acknowledges them, and the first takes the acknowledgements.
    static func pair(payload count: Int) -> Benchmark {
        var ends = LinkEnds.established()
        var output = LinkOutput()
        var answer = LinkOutput()
        var now: UInt64 = 0
        let payload = [UInt8](repeating: 0x5A, count: count)
        return Benchmark(
            name: "link.send-receive-\(count + LinkPacket.overhead)", unit: "GB",
            unitsPerRun: Double((count + LinkPacket.overhead) * packets) / 1e9, itemsPerRun: Double(packets),
            work: {
                now += 1_000
                for _ in 0..<packets {
                    do throws(LinkSendError) {
                        try ends.accessory.send(payload, on: .control, now: now, into: &output)
                    } catch {
                        preconditionFailure("LinkBenchmarks: \(error)")
                    }
                    ends.device.receive(output.transmit[...], now: now, into: &answer)
                    output.removeAll()
                    if !answer.transmit.isEmpty {
                        ends.accessory.receive(answer.transmit[...], now: now, into: &output)
                    }
                    answer.removeAll()
                }
            })
    }

    /// As many packets as there are numbers, from number 1 on, which is what an accessory sends that opened with 0.
    private static func stream(length: Int) -> [UInt8] {
        var stream: [UInt8] = []
        let payload = [UInt8](repeating: 0x5A, count: length - LinkPacket.overhead)
        for number in 1...packets {
            LinkPacket(
                control: .acknowledge, sequence: UInt8(truncatingIfNeeded: number), acknowledgement: 0x2D,
                channelID: 1, payload: payload[...]
            ).encode(into: &stream)
        }
        return stream
    }
}

/// Two ends of one link that are up.
struct LinkEnds {
    var accessory: LinkMachine
    var device: LinkMachine

    static func established() -> LinkEnds {
        var ends = LinkEnds(
            accessory: LinkMachine(side: .accessory, parameters: .accessory, initialSequence: 0),
            device: LinkMachine(side: .device, parameters: .device, initialSequence: 0x2D))
        var toDevice = LinkOutput()
        var toAccessory = LinkOutput()
        ends.device.start(now: 0, into: &toAccessory)
        ends.accessory.start(now: 0, into: &toDevice)
        while !toDevice.transmit.isEmpty {
            ends.device.receive(toDevice.transmit[...], now: 0, into: &toAccessory)
            toDevice.removeAll()
            ends.accessory.receive(toAccessory.transmit[...], now: 0, into: &toDevice)
            toAccessory.removeAll()
        }
        precondition(ends.device.phase == .established, "LinkEnds: the link is not up")
        return ends
    }
}
