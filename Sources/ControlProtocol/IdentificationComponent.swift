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

    /// Makes a component of a typed one. Throws when a value fits no parameter.
    public init(_ component: some TypedComponent) throws(WireError) {
        self.init(kind: type(of: component).kind, parameters: try component.encodeParameters())
    }

    /// Reads it as a typed one; nil when it is of another kind.
    public func decoded<Component: TypedComponent>(
        as type: Component.Type = Component.self
    ) throws(WireError) -> Component? {
        guard kind == Component.kind else { return nil }
        return try Component(parameters: parameters)
    }

    /// Why a phone could not read it: no number or name, or a value of another type. Nil when it is fine, or of a kind
    /// that is not known.
    public var problem: WireError? {
        guard case .group(let fields) = MessageCatalogue.identificationFields.field(kind)?.type else { return nil }
        do throws(WireError) {
            for id in [0, 1] as [UInt16] { _ = try parameters.required(id) }
            for parameter in try parameters.all() {
                if let problem = fields.field(parameter.id)?.type.problem(parameter) { return problem }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Transport over USB with the accessory as host. [2+]
    public static let usbDeviceTransport = USBDeviceTransport.kind
    /// Transport over USB with the phone as host. [2+]
    public static let usbHostTransport = USBHostTransport.kind
    /// Transport over Bluetooth. [C]
    public static let bluetoothTransport = BluetoothTransport.kind
    /// The vehicle. [C]
    public static let vehicleInformation = VehicleInformation.kind
    /// Wireless transport of a session. [C]
    public static let wirelessTransport = WirelessTransport.kind

    /// Parameter 0: the unit's number for it.
    public func id() throws(WireError) -> UInt16 { try parameters.required(0).integer() }

    /// Parameter 1: its name.
    public func name() throws(WireError) -> String {
        try parameters.required(1).text(limit: Identification.maximumTextLength)
    }

    /// A transport over USB with the phone as host, on which the link runs, and sessions if it has an interface for them.
    public static func usbHostTransport(
        id: UInt16, name: String, sessionInterface: UInt8?
    ) throws(WireError) -> IdentificationComponent {
        var transport = USBHostTransport()
        transport.id = id
        transport.name = name
        transport.supportsLink = true
        transport.sessionInterface = sessionInterface
        transport.supportsSession = sessionInterface != nil
        return try IdentificationComponent(transport)
    }

    /// A transport over Bluetooth, on which the link runs.
    public static func bluetoothTransport(
        id: UInt16, name: String, address: [UInt8]
    ) throws(WireError) -> IdentificationComponent {
        var transport = BluetoothTransport()
        transport.id = id
        transport.name = name
        transport.supportsLink = true
        transport.address = address
        return try IdentificationComponent(transport)
    }

    /// The vehicle, with one engine.
    public static func vehicleInformation(
        id: UInt16, name: String, engine: UInt8, displayName: String
    ) throws(WireError) -> IdentificationComponent {
        var vehicle = VehicleInformation()
        vehicle.id = id
        vehicle.name = name
        vehicle.engines = [engine]
        vehicle.displayName = displayName
        return try IdentificationComponent(vehicle)
    }
}
