import CLinux
import Glibc
import LinuxIO
import ServiceManager
import Testing

@Suite struct NotifierTests {
    @Test func statesTravelInOneMessage() throws {
        let folder = try TemporaryFolder()
        let manager = try DatagramReceiver(folder.file("notify"))
        let notifier = try Notifier(environment: Environment(["NOTIFY_SOCKET": manager.path]))
        #expect(notifier.isActive)
        #expect(try notifier.notify(.ready, .status("two devices")))
        #expect(manager.nextText() == "READY=1\nSTATUS=two devices")
        #expect(try notifier.notify(.reloading(at: 1_234_567_899)))
        #expect(manager.nextText() == "RELOADING=1\nMONOTONIC_USEC=1234567")
        #expect(try notifier.notify(.stopping, .failed(errno: 5)))
        #expect(manager.nextText() == "STOPPING=1\nERRNO=5")
        #expect(try notifier.notify(.watchdog))
        #expect(manager.nextText() == "WATCHDOG=1")
        #expect(manager.next() == nil)
    }

    @Test func aStatusCannotBringAnAssignmentOfItsOwn() throws {
        let folder = try TemporaryFolder()
        let manager = try DatagramReceiver(folder.file("notify"))
        let notifier = try Notifier(environment: Environment(["NOTIFY_SOCKET": manager.path]))
        try notifier.notify(.status("phone\nSTOPPING=1\r\nx\ry"))
        #expect(manager.nextText() == "STATUS=phone STOPPING=1 x y")
    }

    @Test func withoutAManagerNothingHappens() throws {
        for environment in [Environment(), Environment(["NOTIFY_SOCKET": ""])] {
            let notifier = try Notifier(environment: environment)
            #expect(!notifier.isActive)
            #expect(try !notifier.notify(.ready))
        }
    }

    @Test func anAbstractSocketIsReached() throws {
        let name = "dashrig-test-notify-\(getpid())"
        let manager = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { close(manager) }
        let address = try sockaddr_un(path: "\0" + name)
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(manager, $0, socklen_t(2 + 1 + name.utf8.count))
            }
        }
        #expect(bound == 0)
        let notifier = try Notifier(environment: Environment(["NOTIFY_SOCKET": "@" + name]))
        #expect(try notifier.notify(.ready))
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(recv(manager, &buffer, 16, 0) == 7)
    }

    @Test(arguments: ["relative/path", "vsock:2:1234", "/" + String(repeating: "x", count: 107)])
    func otherAddressesAreRefused(value: String) {
        #expect(throws: ServiceEnvironmentError.unsupportedAddress(value)) {
            _ = try Notifier(environment: Environment(["NOTIFY_SOCKET": value]))
        }
    }

    @Test func aManagerThatIsGoneOrBusyIsTold() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("notify")
        let notifier = try Notifier(environment: Environment(["NOTIFY_SOCKET": path]))
        #expect(throws: NotifyError.failed(SystemError("sendto", ENOENT, path))) { try notifier.notify(.ready) }
        // It comes (back): found without further ado.
        let manager = try DatagramReceiver(path)
        #expect(try notifier.notify(.ready))
        var sent = 1
        #expect(throws: NotifyError.busy) {
            while sent < 100_000 {
                try notifier.notify(.watchdog)
                sent += 1
            }
        }
        for _ in 0..<sent { #expect(manager.next() != nil) }
    }
}

@Suite struct WatchdogIntervalTests {
    private func interval(_ values: [String: String]) throws -> WatchdogInterval? {
        try WatchdogInterval(environment: Environment(values), processID: 17)
    }

    @Test func halfTheTimeoutIsTheInterval() throws {
        let found = try #require(try interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "17"]))
        #expect(found.timeout == 30_000_000_000)
        #expect(found.interval == 15_000_000_000)
        #expect(try interval(["WATCHDOG_USEC": "1"])?.interval == 500)
    }

    @Test func noneIsSetForUs() throws {
        #expect(try interval([:]) == nil)
        #expect(try interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "18"]) == nil)
    }

    @Test(arguments: ["", "0", "-1", "+1", "x", "1 ", "18446744073709551616", "18446744073709552"])
    func nonsenseIsRefused(value: String) {
        #expect(throws: ServiceEnvironmentError.malformed(variable: "WATCHDOG_USEC", value: value)) {
            _ = try interval(["WATCHDOG_USEC": value])
        }
        // The largest number of microseconds whose nanoseconds fit is taken.
        #expect(throws: Never.self) { _ = try interval(["WATCHDOG_USEC": "18446744073709551"]) }
    }

    @Test func aNonsensePIDIsRefused() {
        #expect(throws: ServiceEnvironmentError.malformed(variable: "WATCHDOG_PID", value: "x")) {
            _ = try interval(["WATCHDOG_USEC": "1", "WATCHDOG_PID": "x"])
        }
    }
}

@Suite struct ActivatedSocketsTests {
    private func sockets(_ values: [String: String], first: Int32 = 3) throws -> ActivatedSockets {
        try ActivatedSockets(environment: Environment(values), processID: 17, firstDescriptor: first)
    }

    /// The highest numbers that this process may have: other tests, which come and go beside this one, get low ones.
    private let high = Int32(clamping: min(sysconf(Int32(_SC_OPEN_MAX)), 65_536)) - 100

    /// Open descriptors in a row.
    private func row(_ count: Int32, from first: Int32) -> OwnedDescriptor {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        for number in first..<first + count { dup2(null, number) }
        return OwnedDescriptor(adopting: null)
    }

    @Test func socketsAreTakenByName() throws {
        let kept = row(3, from: high)
        do {
            let found = try sockets(
                ["LISTEN_FDS": "3", "LISTEN_PID": "17", "LISTEN_FDNAMES": "rig:app:rig"], first: high)
            #expect(found.names == ["rig", "app", "rig"])
            for number in high..<high + 3 { #expect(fcntl(number, F_GETFD) == FD_CLOEXEC) }
            #expect(found.take(named: "app")?.release() == high + 1)
            #expect(found.take(named: "rig")?.release() == high)
            #expect(found.take(named: "app") == nil ? true : false)
            #expect(found.names == ["rig"])
        }
        // The one that nobody took is closed, the others are their takers'.
        #expect(fcntl(high + 2, F_GETFD) == -1)
        #expect(close(high) == 0 && close(high + 1) == 0)
        _ = kept.rawValue
    }

    @Test func nothingWasPassedToUs() throws {
        #expect(try sockets([:]).names == [])
        #expect(try sockets(["LISTEN_FDS": "1"]).names == [])
        #expect(try sockets(["LISTEN_FDS": "1", "LISTEN_PID": "18"]).names == [])
        #expect(try sockets(["LISTEN_FDS": "0", "LISTEN_PID": "17", "LISTEN_FDNAMES": ""]).names == [])
    }

    @Test func withoutNamesTheyAreUnknown() throws {
        let kept = row(2, from: high + 10)
        let found = try sockets(["LISTEN_FDS": "2", "LISTEN_PID": "17"], first: high + 10)
        #expect(found.names == ["unknown", "unknown"])
        _ = kept.rawValue
    }

    @Test func aMissingDescriptorIsNamedAndNothingIsClosed() throws {
        let kept = row(1, from: high + 20)
        #expect(throws: ServiceEnvironmentError.notOpen(descriptor: high + 21)) {
            _ = try sockets(["LISTEN_FDS": "2", "LISTEN_PID": "17"], first: high + 20)
        }
        #expect(close(high + 20) == 0)
        _ = kept.rawValue
    }

    @Test(arguments: [
        ("LISTEN_FDS", "x"), ("LISTEN_FDS", "-1"), ("LISTEN_FDS", "257"), ("LISTEN_FDS", "99999999999999999999"),
        ("LISTEN_PID", ""), ("LISTEN_FDNAMES", "a:b"),
    ])
    func nonsenseIsRefused(variable: String, value: String) {
        var values = ["LISTEN_FDS": "1", "LISTEN_PID": "17", "LISTEN_FDNAMES": "a"]
        values[variable] = value
        #expect(throws: ServiceEnvironmentError.malformed(variable: variable, value: value)) {
            _ = try sockets(values)
        }
    }
}

extension DatagramReceiver {
    func nextText() -> String? { next().map { String(decoding: $0, as: UTF8.self) } }
}
