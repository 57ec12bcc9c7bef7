import CANInput
import LinuxIO
import RigModel
import Testing

@Suite struct CANSocketTests {
    /// A kernel without CAN says so; one with it has no interface of this name.
    @Test func whatCannotBeOpenedSaysWhy() throws {
        let loop = try EventLoop()
        do throws(CANError) {
            _ = try CANSocket(interface: "nocan0", identifiers: [CANIdentifier(1)], loop: loop) { _ in }
            Issue.record("it was opened")
        } catch {
            switch error {
            case .noKernelSupport: #expect(error.description.contains("CONFIG_CAN_RAW"))
            case .noInterface(let name): #expect(name == "nocan0")
            case .notCAN, .noAccess, .system: Issue.record("\(error)")
            }
        }
        #expect(loop.watchCount == 0)
    }
}
