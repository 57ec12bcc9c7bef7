import ControlProtocol
import Foundation
import LinkProtocol
import RigModel
import Testing

@testable import RigCore

@Suite struct ReasonDocumentTests {
    private static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/events.md")

    /// What a scenario can test for must be written down.
    @Test func everyReasonOfLinkAndHandshakeIsDocumented() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let links: [LinkFailure] = [
            .closedLocally, .detectTimedOut, .synchronizationTimedOut,
            .retransmissionLimit(sequence: 0, retransmissions: 1), .resetByPeer, .protocolViolation("", offset: 0),
        ]
        var codes = links.map { Reason($0).code } + ["parametersRefused", "negotiationLimit"]
        codes += ControlStep.allCases.map { Reason(ControlFailure.stepTimedOut($0)).code }
        let failures: [ControlFailure] = [
            .authenticationRefused, .identificationRefused(parameters: []),
            .identificationUnacceptable(parameters: [], attempts: 1), .identificationCancelled(by: .peer),
            .trustRefused(by: .peer), .signatureUnavailable(""),
            .unexpectedMessage(.startIdentification, during: nil),
        ]
        codes += CertificateRefusal.allCases.map { Reason(ControlFailure.credentialRefused($0, nil)).code }
        codes += PhoneRefusal.allCases.map { Reason(ControlFailure.setToRefuse($0)).code }
        codes += failures.map { Reason($0).code }
        for code in codes { #expect(text.contains("`\(code)`"), "\(code) is not in docs/events.md") }
    }
}
