public import WireBytes

/// One component of a unit: a transport, the vehicle, a display for route guidance and so on.
public struct IdentificationComponent: Equatable, Sendable {
    /// The parameter number in the identification.
    public var kind: UInt16
    /// The component's own parameters, as they came or were built.
    public var parameters: ControlParameters

    /// Makes a component of any kind.
    public init(kind: UInt16, parameters: ControlParameters) {
        self.kind = kind
        self.parameters = parameters
    }

    /// Transport over USB with the accessory as host. [2+]
    public static let usbDeviceTransport: UInt16 = 15
    /// Transport over USB with the phone as host. [2+]
    public static let usbHostTransport: UInt16 = 16
    /// Transport over Bluetooth. [C]
    public static let bluetoothTransport: UInt16 = 17
    /// The vehicle. [C]
    public static let vehicleInformation: UInt16 = 20
    /// Wireless transport of a session. [C]
    public static let wirelessTransport: UInt16 = 24

    /// Parameter 0: the unit's number for it.
    public func id() throws(WireError) -> UInt16 { try parameters.required(0).integer() }

    /// Parameter 1: its name.
    public func name() throws(WireError) -> String {
        try parameters.required(1).text(limit: Identification.maximumTextLength)
    }

    /// A transport over USB with the phone as host: 2 the link runs on it (flag), 3 the number of the session's
    /// interface, 4 it supports sessions (flag). [2+]; a real unit has interface 1 [C] (V851), LIVI has 3.
    public static func usbHostTransport(
        id: UInt16, name: String, sessionInterface: UInt8?
    ) throws(WireError) -> IdentificationComponent {
        var parameters = try header(id: id, name: name)
        parameters.appendFlag(2)
        if let sessionInterface {
            parameters.append(3, sessionInterface)
            parameters.appendFlag(4)
        }
        return IdentificationComponent(kind: usbHostTransport, parameters: parameters)
    }

    /// A transport over Bluetooth: 2 the link runs on it (flag), 3 the address, six bytes. [C]
    public static func bluetoothTransport(
        id: UInt16, name: String, address: [UInt8]
    ) throws(WireError) -> IdentificationComponent {
        var parameters = try header(id: id, name: name)
        parameters.appendFlag(2)
        try parameters.append(3, bytes: address)
        return IdentificationComponent(kind: bluetoothTransport, parameters: parameters)
    }

    /// The vehicle: 2 engine (0 gasoline, 1 diesel, 2 electric, 3 CNG), 6 the name shown. [C]
    public static func vehicleInformation(
        id: UInt16, name: String, engine: UInt8, displayName: String
    ) throws(WireError) -> IdentificationComponent {
        var parameters = try header(id: id, name: name)
        parameters.append(2, engine)
        try parameters.append(6, text: displayName)
        return IdentificationComponent(kind: vehicleInformation, parameters: parameters)
    }

    private static func header(id: UInt16, name: String) throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        parameters.append(0, id)
        try parameters.append(1, text: name)
        return parameters
    }
}
