import ControlProtocol
import HIDReports
import InputCore
import RigModel

/// What came of one message about input devices.
struct HIDArrival: Equatable, Sendable {
    /// What was done, and for a touch the place of its touchscreen among the touchscreens.
    var inputs: [(input: HIDInput, screen: Int)] = []
    /// The device that did it.
    var source = ""
    /// What was wrong.
    var irregularity: Irregularity?
    /// Whether the device is gone, so that nobody did it: touches are cancelled.
    var isCancellation = false
    /// The report that it came of, even of one that said nothing.
    var report: AccessoryHIDReport?

    static func == (left: HIDArrival, right: HIDArrival) -> Bool {
        left.source == right.source && left.isCancellation == right.isCancellation && left.report == right.report
            && left.irregularity == right.irregularity
            && left.inputs.elementsEqual(right.inputs) { $0 == $1 }
    }
}

/// The phone's side of input on the link: the devices that the head unit offers, and what is done with them.
struct HIDIntake: Sendable {
    /// The most devices of one head unit: ours; four are seen.
    static let maximumDevices = 32

    private struct Device: Sendable {
        var component: UInt16
        var decoder: HIDInputDecoder
        /// For a touchscreen, its place among the touchscreens.
        var screen: Int
    }

    private let longPress: UInt64
    private var devices: [Device] = []

    init(longPress: UInt64) { self.longPress = longPress }

    /// Takes a message if it is about input devices; `nil` when it is not.
    mutating func receive(_ message: ControlMessage, now: UInt64) -> HIDArrival? {
        switch message.id {
        case .startHID: start(message, now)
        case .accessoryHIDReport: report(message, now)
        case .stopHID: stop(message, now)
        default: nil
        }
    }

    /// The way to the head unit is gone: what is held is let go.
    mutating func end(now: UInt64) -> [HIDArrival] {
        defer { devices = [] }
        return devices.indices.map { released($0, now) }.filter { !$0.inputs.isEmpty }
    }

    private mutating func released(_ index: Int, _ now: UInt64) -> HIDArrival {
        let screen = devices[index].screen
        return HIDArrival(
            inputs: devices[index].decoder.end(time: now).map { ($0, screen) }, source: Self.name(devices[index]),
            isCancellation: true)
    }

    private static func name(_ device: Device) -> String { "hid-\(device.component)" }

    private mutating func start(_ message: ControlMessage, _ now: UInt64) -> HIDArrival {
        let start: StartHID
        do {
            start = try StartHID(message)
        } catch {
            return Self.wrong("hidMessage", "\(message.id): \(error)")
        }
        var arrival = HIDArrival()
        if let index = devices.firstIndex(where: { $0.component == start.component }) {
            // What the old one held is let go, then the new one counts.
            arrival = released(index, now)
            arrival.irregularity = Self.irregularity(
                "hidStartedAgain", "input device \(start.component) is offered again without a stop", "reset")
            devices.remove(at: index)
        }
        guard devices.count < Self.maximumDevices else {
            return Self.wrong("hidTooMany", "more than \(Self.maximumDevices) input devices are offered", arrival)
        }
        guard let bytes = start.descriptor else {
            return Self.wrong("hidDescriptor", "input device \(start.component) has no report descriptor", arrival)
        }
        let descriptor: HIDDescriptor
        do throws(HIDDescriptorError) {
            descriptor = try HIDDescriptor.parse(bytes)
        } catch {
            return Self.wrong(
                "hidDescriptor", "report descriptor of input device \(start.component): \(error)", arrival)
        }
        guard let decoder = HIDInputDecoder(descriptor, longPress: longPress) else {
            return Self.wrong("hidFunction", "input device \(start.component) is nothing that the rig knows", arrival)
        }
        let screens = devices.filter { $0.decoder.function == .touchscreen }.map(\.screen)
        // The first place that no other touchscreen has: one that is offered again lies on its own display.
        let screen = (0...screens.count).first { !screens.contains($0) } ?? 0
        devices.append(Device(component: start.component, decoder: decoder, screen: screen))
        return arrival
    }

    private mutating func report(_ message: ControlMessage, _ now: UInt64) -> HIDArrival {
        let report: AccessoryHIDReport
        do {
            report = try AccessoryHIDReport(message)
        } catch {
            return Self.wrong("hidMessage", "\(message.id): \(error)")
        }
        guard let index = devices.firstIndex(where: { $0.component == report.component }) else {
            return Self.wrong("hidUnknownDevice", "a report of input device \(report.component), which was not offered")
        }
        do throws(HIDReportError) {
            let inputs = try devices[index].decoder.decode((report.report ?? [])[...], time: now)
            let screen = devices[index].screen
            return HIDArrival(
                inputs: inputs.map { ($0, screen) }, source: Self.name(devices[index]), report: report)
        } catch {
            var arrival = Self.wrong("hidReport", "input device \(report.component): \(error)")
            arrival.report = report
            return arrival
        }
    }

    private mutating func stop(_ message: ControlMessage, _ now: UInt64) -> HIDArrival {
        let stop: StopHID
        do {
            stop = try StopHID(message)
        } catch {
            return Self.wrong("hidMessage", "\(message.id): \(error)")
        }
        guard let index = devices.firstIndex(where: { $0.component == stop.component }) else {
            return Self.wrong("hidUnknownDevice", "input device \(stop.component) is stopped, but was not offered")
        }
        defer { devices.remove(at: index) }
        return released(index, now)
    }

    private static func irregularity(_ rule: String, _ text: String, _ reaction: String) -> Irregularity {
        Irregularity(layer: .hid, end: .rig, rule: rule, party: .peer, reaction: reaction, text: text)
    }

    private static func wrong(_ rule: String, _ text: String, _ before: HIDArrival = HIDArrival()) -> HIDArrival {
        var arrival = before
        arrival.irregularity = irregularity(rule, text, "drop")
        return arrival
    }
}
