import ControlProtocol
import HIDReports
import InputCore
import RigModel
import WireBytes

/// What came of one message about input devices.
struct HIDArrival: Equatable, Sendable {
    /// A report that came: its device, and its bytes as a part of `EndpointNotices.reports`.
    struct Report: Equatable, Sendable {
        var component: UInt16
        var bytes: Range<Int>
    }

    /// What was done.
    var inputs = HIDInputs()
    /// For touches, the place of the touchscreen among the touchscreens.
    var screen = 0
    /// The device that did it.
    var source = ""
    /// What was wrong.
    var irregularity: Irregularity?
    /// Whether the device is gone, so that nobody did it: touches are cancelled.
    var isCancellation = false
    /// The report that it came of, even of one that said nothing.
    var report: Report?
}

/// The phone's side of input on the link: the devices that the head unit offers, and what is done with them.
struct HIDIntake: Sendable {
    /// The most devices of one head unit: ours; four are seen.
    static let maximumDevices = 32

    private struct Device: Sendable {
        var component: UInt16
        var decoder: HIDInputDecoder
        /// What it is called where its input is published.
        var name: String
        /// For a touchscreen, its place among the touchscreens.
        var screen: Int
    }

    private let longPress: UInt64
    private var devices: [Device] = []

    init(longPress: UInt64) { self.longPress = longPress }

    /// Takes a message if it is about input devices; `nil` when it is not.
    ///
    /// - Parameter reports: gets the bytes of a report that can be read.
    mutating func receive(_ message: ControlMessage, now: UInt64, reports: inout [UInt8]) -> HIDArrival? {
        switch message.id {
        case .startHID: start(message, now)
        case .accessoryHIDReport: report(message, now, &reports)
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
        HIDArrival(
            inputs: devices[index].decoder.end(time: now), screen: devices[index].screen, source: devices[index].name,
            isCancellation: true)
    }

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
        devices.append(
            Device(component: start.component, decoder: decoder, name: "hid-\(start.component)", screen: screen))
        return arrival
    }

    private mutating func report(_ message: ControlMessage, _ now: UInt64, _ reports: inout [UInt8]) -> HIDArrival {
        let component: UInt16
        let report: ArraySlice<UInt8>
        do throws(WireError) {
            let parameters = try AccessoryHIDReport.read(message)
            component = parameters.component
            report = parameters.report ?? []
        } catch {
            return Self.wrong("hidMessage", "\(message.id): \(error)")
        }
        guard let index = devices.firstIndex(where: { $0.component == component }) else {
            return Self.wrong("hidUnknownDevice", "a report of input device \(component), which was not offered")
        }
        var arrival = HIDArrival(screen: devices[index].screen, source: devices[index].name)
        do throws(HIDReportError) {
            try devices[index].decoder.decode(report, time: now, into: &arrival.inputs)
        } catch {
            arrival = Self.wrong("hidReport", "input device \(component): \(error)")
        }
        let start = reports.count
        reports.append(contentsOf: report)
        arrival.report = HIDArrival.Report(component: component, bytes: start..<reports.count)
        return arrival
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
