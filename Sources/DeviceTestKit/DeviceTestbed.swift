internal import Glibc
public import LinuxIO

/// A machine of its own for one daemon: /sys and /dev in a folder, devices that are plugged and unplugged, uevents.
///
/// The program under test runs under umockdev's preload library, in this process or as a child with `environment`. Only
/// one testbed exists at a time (a second waits in `init`), and only one program per testbed may listen for uevents.
/// The folder goes with the testbed, and at the process's exit; what a crash left behind is removed by the next one.
public final class DeviceTestbed {
    /// The folder that plays the root of the file system.
    public let root: String

    private let sysfs: MockSysfs
    private var lastDevice: UInt16 = 1
    private var lastInput = 6
    private var hasRootHub = false
    private var usbMocks: [USBMock] = []
    private var evdevMocks: [EvdevMock] = []

    /// Whether testbeds can be made in this process.
    public static var isAvailable: Bool { MockSysfs.wasBuilt && preloadLibraries.contains("umockdev") }

    /// The line for whoever wonders why the tests did not run.
    public static let skipReason =
        "needs the packages libumockdev-dev and umockdev, and to be run as: umockdev-wrapper swift test"

    private static let turn = Guarded(false)

    private static var preloadLibraries: String { Environment.get("LD_PRELOAD") ?? "" }

    /// Makes a machine without devices. Waits for the testbed before it to be closed.
    public init() throws(TestbedError) {
        guard Self.isAvailable else { throw .unavailable(Self.skipReason) }
        Self.turn.wait(until: { !$0 }, then: { $0 = true })
        do throws(TestbedError) {
            sysfs = try MockSysfs()
            root = sysfs.root
        } catch {
            Self.turn.use { $0 = false }
            throw error
        }
        AbandonedFolders.sweep(beside: sysfs.root)
        AbandonedFolders.own(sysfs.root)
        makeFolders(above: root + "/dev/input/x")
        makeFolders(above: root + "/dev/bus/usb/001/x")
    }

    deinit {
        for mock in usbMocks {
            mock.markUnplugged()
            mock.releaseHangs()
        }
        for mock in evdevMocks { mock.markUnplugged() }
        AbandonedFolders.disown(root)
        sysfs.close()
        Self.turn.use { $0 = false }
    }

    // MARK: The program under test

    /// What a child needs to live on this machine: both preload libraries and the folder.
    public var environment: Environment {
        var environment = Environment.current()
        environment["UMOCKDEV_DIR"] = root
        environment["LD_PRELOAD"] = Self.preloadLibraries + ":" + Self.seekLibrary
        return environment
    }

    /// Starts a program on this machine, with its output captured.
    public func launch(_ program: String, _ arguments: [String] = []) throws(SystemError) -> ChildProcess {
        try ChildProcess(ChildSpecification(program, arguments, environment: environment))
    }

    /// A program that this package builds, such as `dashrigd`.
    public static func product(_ name: String) -> String { buildFolder + "/" + name }

    /// The folder of this test program, where everything else of the build is.
    private static let buildFolder: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }()

    /// The library that lets libusb rewind a FIFO; this process has it linked in.
    private static var seekLibrary: String { product("libFIFOSeek.so") }

    /// What to do while the program under test must first read its uevents: it has room for ten. A test whose own thread
    /// is the reader's turns its loop here; the default sleeps a millisecond.
    public var whileListenersAreBusy: () -> Void {
        get { sysfs.idle }
        set { sysfs.idle = newValue }
    }

    // MARK: USB

    /// How a device arrives.
    public struct Arrival: Sendable {
        /// The uevents of the device behind its `add`: interfaces come and are bound, then the device is.
        public var bind = true
        /// False when sysfs has no `descriptors` yet; `completeDescriptors` brings them.
        public var hasDescriptors = true
        /// False when the node is not there yet; `USBMock.revealNode` brings it.
        public var hasNode = true

        /// Everything is there at once.
        public init() {}
    }

    /// Plugs a fixture in. The device gets the next number on the bus.
    @discardableResult
    public func plug(
        _ name: String, port: String = "1-1", serial: String? = nil, behaviour: USBBehaviour = USBBehaviour(),
        arrival: Arrival = Arrival()
    ) throws -> USBMock {
        try plug(try DeviceFixture.load(name), port: port, serial: serial, behaviour: behaviour, arrival: arrival)
    }

    /// Plugs a fixture in. `prepare` gets the device before anybody can see it.
    @discardableResult
    public func plug(
        _ fixture: DeviceFixture, port: String = "1-1", serial: String? = nil,
        behaviour: USBBehaviour = USBBehaviour(), arrival: Arrival = Arrival(),
        prepare: (USBMock) -> Void = { _ in }
    ) throws -> USBMock {
        lastDevice = lastDevice >= 127 ? 2 : lastDevice + 1
        let moved = fixture.moved(to: port, device: lastDevice, serial: serial)
        guard var device = moved.device, let descriptors = device.bytes("descriptors") else {
            throw TestbedError.failed("\(fixture.name) has no usb_device with descriptors")
        }
        if !hasRootHub, let hub = moved.rootHub {
            try sysfs.add(hub.text)
            hasRootHub = true
        }
        let model = USBModel(
            descriptors: descriptors, strings: Self.strings(device, descriptors),
            activeConfiguration: device.attribute("bConfigurationValue").flatMap { UInt8($0) } ?? 0,
            behaviour: behaviour)
        let mock = try USBMock(
            root: root, node: "/dev/" + USBNode.name(lastDevice), syspath: "/sys" + device.path, port: port,
            device: lastDevice, interfaces: moved.interfaces.map { "/sys" + $0.path }, model: model,
            hidden: !arrival.hasNode)
        usbMocks.append(mock)
        prepare(mock)
        // The node is ours already; umockdev would make a regular file of it.
        device.lines.removeAll { line in
            line.hasPrefix("N: ") || !arrival.hasDescriptors && line.hasPrefix("H: descriptors=")
        }
        try sysfs.add(device.text)
        for interface in moved.interfaces { try sysfs.add(interface.text) }
        if arrival.bind {
            for interface in mock.interfaces { sysfs.uevent(interface, "bind") }
            sysfs.uevent(mock.syspath, "bind")
        }
        return mock
    }

    /// Brings the descriptors that the arrival left out; no event tells of it.
    public func completeDescriptors(_ mock: USBMock) {
        sysfs.setAttribute(mock.syspath, "descriptors", bytes: mock.descriptors)
    }

    /// Pulls a device, with the events in the kernel's order. `quietly` leaves the events out, as when they are lost.
    public func unplug(_ mock: USBMock, quietly: Bool = false) {
        mock.markUnplugged()
        if !quietly {
            for interface in mock.interfaces {
                sysfs.uevent(interface, "unbind")
                sysfs.uevent(interface, "remove")
            }
            sysfs.uevent(mock.syspath, "unbind")
            sysfs.uevent(mock.syspath, "remove")
        }
        for interface in mock.interfaces { sysfs.remove(interface) }
        sysfs.remove(mock.syspath)
        mock.removeNode()
        usbMocks.removeAll { $0 === mock }
    }

    /// Sends a uevent for a syspath: `change`, `bind`, ….
    public func uevent(_ syspath: String, _ action: String) { sysfs.uevent(syspath, action) }

    /// Sets an attribute of sysfs.
    public func setAttribute(_ syspath: String, _ name: String, _ value: String) {
        sysfs.setAttribute(syspath, name, value)
    }

    /// Sets a udev property.
    public func setProperty(_ syspath: String, _ name: String, _ value: String) {
        sysfs.setProperty(syspath, name, value)
    }

    private static func strings(_ device: DeviceFixture.Block, _ descriptors: [UInt8]) -> [UInt8: String] {
        var strings: [UInt8: String] = [:]
        for (offset, name) in [(14, "manufacturer"), (15, "product"), (16, "serial")] where descriptors.count > offset {
            if descriptors[offset] != 0, let text = device.attribute(name) { strings[descriptors[offset]] = text }
        }
        return strings
    }

    // MARK: Input

    /// Plugs a knob in: a PowerMate unless another profile is given.
    public func addKnob(_ profile: EvdevProfile = .powerMate) throws -> EvdevMock { try addInput(profile) }

    /// Plugs any input device in. `prepare` gets the device before anybody can see it.
    public func addInput(_ profile: EvdevProfile, prepare: (EvdevMock) -> Void = { _ in }) throws -> EvdevMock {
        lastInput += 1
        let mock = try EvdevMock(root: root, number: lastInput, profile: profile)
        prepare(mock)
        evdevMocks.append(mock)
        try sysfs.add(InputFixture.device(profile, path: String(mock.deviceSyspath.dropFirst(4))))
        try sysfs.add(InputFixture.node(path: String(mock.syspath.dropFirst(4)), number: lastInput))
        return mock
    }

    /// Pulls an input device.
    public func remove(_ mock: EvdevMock) {
        // As in the kernel: the node goes before readers are told.
        mock.removeNode()
        mock.markUnplugged()
        sysfs.uevent(mock.syspath, "remove")
        sysfs.uevent(mock.deviceSyspath, "remove")
        sysfs.remove(mock.syspath)
        sysfs.remove(mock.deviceSyspath)
        evdevMocks.removeAll { $0 === mock }
    }
}
