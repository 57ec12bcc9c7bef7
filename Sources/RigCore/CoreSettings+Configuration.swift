import ControlProtocol
import LinkProtocol
public import RigConfiguration
import RigModel

extension CoreSettings {
    /// What a configuration means for the core.
    ///
    /// - Parameter version: the rig's version, as it is published.
    public init(_ configuration: Configuration, version: String) {
        self.init()
        let settings = configuration.settings
        self.version = version
        instance = settings.instance ?? ""
        front = settings.frontPolicy
        headUnits = [configuration.headUnit] + configuration.headUnits.profiles.filter { $0 != configuration.headUnit }
        vehicle = configuration.headUnit.vehicle
        vehicleRules = configuration.headUnit.rules
        reenumerationWindow = settings.reenumerationWindow
        retries = (0..<settings.handshakeRetries).map(settings.retryDelay)
        authenticationPause = settings.authenticationPause
        authenticationPauseMaximum = settings.authenticationPauseMaximum
        longPress = settings.longPress
        shape = AuthenticationShape(settings.authentication.shape)
        link = LinkParameters(settings.link)
        phoneLink = LinkSynchronization(phone: settings.link)
        link.detectBudget = settings.deadlines.detect
        link.synchronizationBudget = settings.deadlines.synchronize
        for step in [.request, .challenge, .signature, .authenticationResult, .certificate, .challengeBytes]
            as [ControlStep] + [.response, .verification]
        {
            deadlines[step] = settings.deadlines.authenticate
        }
        for step in [.identification, .identificationResult] as [ControlStep] {
            deadlines[step] = settings.deadlines.identify
        }
        for step in [.availability, .startSession, .displays] as [ControlStep] {
            deadlines[step] = settings.deadlines.start
        }
        maximumDevices = settings.limits.devices
        maximumClients = settings.limits.clients
        maximumClientsPerUser = settings.limits.clientsPerUser
        maximumSubscriptions = settings.limits.subscriptions
        maximumApps = settings.limits.apps
    }
}
