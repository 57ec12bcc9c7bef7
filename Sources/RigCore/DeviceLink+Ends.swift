import ControlProtocol
import LinkProtocol
import RigConfiguration
import RigModel

/// What the ends of a link are made of.
extension DeviceLink {
    /// What both ends of a link are made of.
    struct Parts {
        var role: Role
        var peer: Peer
        var headUnit: HeadUnitProfile
        var phone: RigModel.PhoneConditions
        var identificationFirst: Bool
        var phoneName: String
        var settings: CoreSettings
    }

    static func unit(_ parts: Parts, seed: UInt64) -> Endpoint {
        let settings = parts.settings
        let certificate: [UInt8]
        let asksSigner: Bool
        switch settings.signer {
        case .ready(let own): (certificate, asksSigner) = (own, true)
        case .fixedTest, .preparing, .failed:
            (certificate, asksSigner) = (FixedTestSigner.certificate(settings.shape), false)
        }
        return Endpoint(
            .accessory(
                AccessoryConfiguration(
                    identification: Identification(parts.headUnit, version: settings.version),
                    certificate: certificate, displays: parts.headUnit.displays.map(DisplayDeclaration.init),
                    power: PowerSourceUpdate(availableCurrent: 2_400, chargesBattery: true),
                    deadlines: settings.deadlines)),
            link: settings.link, asksSigner: asksSigner, longPress: settings.longPress, seed: seed)
    }

    static func phone(_ parts: Parts, seed: UInt64) -> Endpoint {
        let settings = parts.settings
        var link = settings.link
        link.synchronization = settings.phoneLink
        if let version = parts.phone.linkVersion {
            link.synchronization.version = UInt8(clamping: version)
        }
        return Endpoint(
            .device(
                DeviceConfiguration(
                    order: parts.identificationFirst ? .identificationFirst : .authenticationFirst,
                    name: parts.phoneName, identifiers: DeviceTransportIdentifiers(usb: parts.phoneName),
                    startDelay: 0, powerQuiet: 0, conditions: ControlProtocol.PhoneConditions(parts.phone),
                    deadlines: settings.deadlines)),
            link: link, asksSigner: settings.signer != .fixedTest, longPress: settings.longPress, seed: seed)
    }
}
