import DeviceTestKit
import LinuxIO
import RigModel
import Testing

@testable import USBTransport

/// What a pipe told its owner.
final class PipeLog {
    var received: [[UInt8]] = []
    var bytes: [UInt8] { received.flatMap { $0 } }
    var sent = 0
    var ends: [USBPipeFailure] = []
    /// True while the test is inside a call of the pipe: nothing may be told then.
    var isInside = false

    func listen(_ pipe: USBPipe) {
        pipe.received = { [unowned self] in
            #expect(!isInside && ends.isEmpty && !$0.isEmpty)
            received.append($0)
        }
        pipe.sent = { [unowned self] in
            #expect(!isInside && ends.isEmpty && $0 > 0)
            sent += $0
        }
        pipe.ended = { [unowned self] in
            #expect(!isInside)
            ends.append($0)
        }
    }

    func send(_ bytes: [UInt8], _ pipe: USBPipe) -> USBPipe.SendOutcome {
        isInside = true
        defer { isInside = false }
        return pipe.send(bytes)
    }
}

extension TransportHarness {
    /// The interface of a mock that a pipe is for.
    func interface(_ handle: USBDeviceHandle) throws -> USBStreamInterface {
        try #require(handle.description.linkInterface ?? handle.description.accessoryInterface)
    }

    /// Opens a pipe; how it came out.
    func openPipe(
        _ mock: USBMock, key: UInt64 = 1, _ settings: USBPipeSettings = USBPipeSettings()
    ) throws -> Result<USBPipe, USBPipeFailure> {
        let handle = try open(mock, key: key)
        let interface = try interface(handle)
        return try finish { _ = USBPipeOpening(handle, interface, settings: settings, completion: $0) }
    }

    /// Opens a pipe that must come to be.
    func pipe(
        _ mock: USBMock, key: UInt64 = 1, _ settings: USBPipeSettings = USBPipeSettings()
    ) throws -> (pipe: USBPipe, log: PipeLog) {
        let pipe = try openPipe(mock, key: key, settings).get()
        let log = PipeLog()
        log.listen(pipe)
        return (pipe, log)
    }

    func close(_ pipe: USBPipe) throws {
        let outcome: USBCloseOutcome = try finish { pipe.close(completion: $0) }
        #expect(outcome == .closed)
    }
}

/// Bytes that tell where they stand.
func pattern(_ count: Int, _ seed: Int = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8 &+ seed) }
}
