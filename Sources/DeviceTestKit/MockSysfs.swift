#if HAVE_UMOCKDEV
    internal import CUMockdev
#endif
internal import Glibc
internal import LinuxIO

/// Why there is no testbed.
public enum TestbedError: Error, Equatable, CustomStringConvertible {
    /// umockdev is not there, or its preload library is not in front of this process.
    case unavailable(String)
    /// umockdev refused a device, or the machine a file.
    case failed(String)

    /// One line.
    public var description: String {
        switch self {
        case .unavailable(let text), .failed(let text): text
        }
    }
}

/// umockdev's own testbed: a folder that plays /sys and /dev, and uevents. One exists at a time, since the preload library
/// knows one folder per process.
final class MockSysfs {
    /// The folder.
    let root: String
    /// Called while a listener's queue is full.
    var idle: () -> Void = { usleep(1_000) }

    #if HAVE_UMOCKDEV
        private let testbed: UnsafeMutablePointer<UMockdevTestbed>

        static let wasBuilt = true

        init() throws(TestbedError) {
            guard let testbed = umockdev_testbed_new(), let path = umockdev_testbed_get_root_dir(testbed) else {
                throw .failed("umockdev made no testbed")
            }
            self.testbed = testbed
            root = String(cString: path)
            g_free(path)
            // The answer is remembered by umockdev: asked before a testbed exists, no uevent would ever be sent.
            if umockdev_in_mock_environment() == 0 {
                throw .unavailable("the preload library of umockdev is not loaded: run under umockdev-wrapper")
            }
        }

        /// Removes the folder. Nothing may be asked of it afterwards.
        func close() { g_object_unref(testbed) }

        /// Adds one device, which sends its `add`.
        func add(_ text: String) throws(TestbedError) {
            guard waitForRoom() else { throw .failed("the program under test reads no uevents") }
            var error: UnsafeMutablePointer<GError>?
            if umockdev_testbed_add_from_string(testbed, text, &error) != 0 { return }
            let message = error?.pointee.message.map { String(cString: $0) } ?? "no reason given"
            if let error { g_error_free(error) }
            throw .failed("umockdev refused a device: \(message)")
        }

        func remove(_ syspath: String) { umockdev_testbed_remove_device(testbed, syspath) }
        func uevent(_ syspath: String, _ action: String) {
            // A listener that does not read loses the event, as with the kernel.
            if waitForRoom() { umockdev_testbed_uevent(testbed, syspath, action) }
        }

        private func waitForRoom() -> Bool { ListenerQueues.waitForRoom(root, idle: idle) }

        func setAttribute(_ syspath: String, _ name: String, _ value: String) {
            umockdev_testbed_set_attribute(testbed, syspath, name, value)
        }

        func setAttribute(_ syspath: String, _ name: String, bytes: [UInt8]) {
            var bytes = bytes
            umockdev_testbed_set_attribute_binary(testbed, syspath, name, &bytes, Int32(bytes.count))
        }

        func setProperty(_ syspath: String, _ name: String, _ value: String) {
            umockdev_testbed_set_property(testbed, syspath, name, value)
        }
    #else
        static let wasBuilt = false

        init() throws(TestbedError) { throw .unavailable("built without umockdev") }

        func close() {}
        func add(_ text: String) throws(TestbedError) {}
        func remove(_ syspath: String) {}
        func uevent(_ syspath: String, _ action: String) {}
        func setAttribute(_ syspath: String, _ name: String, _ value: String) {}
        func setAttribute(_ syspath: String, _ name: String, bytes: [UInt8]) {}
        func setProperty(_ syspath: String, _ name: String, _ value: String) {}
    #endif
}
