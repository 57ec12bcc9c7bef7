internal import DashrigClient
internal import RigModel

/// The vehicle for people.
enum VehicleText {
    /// In one line: what is always known, and the measures that are.
    static func line(_ vehicle: VehicleView) -> String {
        let known = VehicleField.measures.filter { vehicle.record.value(at: $0.rawValue) != nil }
        return
            ([vehicle.appearance, "driver \(vehicle.driverSide)", StateText.limits(vehicle.record)]
            + (known + extras(vehicle)).compactMap { $0.text(in: vehicle.record) }).joined(separator: ", ")
    }

    /// Everything, also what is not known.
    static func lines(_ vehicle: VehicleView) -> [String] {
        VehicleField.allCases.compactMap { $0.text(in: vehicle.record) } + ["revision \(vehicle.revision)"]
    }

    /// What is only worth a word where there is something to it.
    private static func extras(_ vehicle: VehicleView) -> [VehicleField] {
        (vehicle.automatic.isEmpty ? [] : [.automatic])
            + (vehicle.record.value(at: "track") == nil ? [] : [VehicleField.track])
    }
}
