import LinuxIO

/// The ports that this instance has claimed, so that a device belongs to exactly one instance.
///
/// A claim is a locked file named after the port; the kernel ends it with the process. Where the folder is not there,
/// as on a bench without the service, nothing is claimed and nobody is kept out.
final class PortClaims {
    /// Where the instances of the service claim ports; made by tmpfiles.
    static let systemFolder = "/run/dashrig/ports"

    /// What became of a claim.
    enum Outcome: Equatable {
        /// The port is ours, or nobody claims ports here.
        case ours
        /// Another instance has it; what it calls itself.
        case held(by: String)
        /// The claim could not be made; why.
        case failed(String)
    }

    private final class Claim {
        let file: LockFile

        init(_ file: consuming LockFile) { self.file = file }
    }

    private let folder: String
    private let owner: String
    private var claims: [String: (claim: Claim, count: Int)] = [:]

    init(folder: String, owner: String) {
        self.folder = folder
        self.owner = owner
    }

    /// Claims a port; a port can be claimed more than once by its own instance.
    func claim(_ port: String) -> Outcome {
        if let held = claims[port] {
            claims[port] = (held.claim, held.count + 1)
            return .ours
        }
        do throws(SystemError) {
            _ = try FileFacts(path: folder)
        } catch {
            return .ours
        }
        // A port's name is topology (`1-1.4`) or a driver's own words, which may hold a slash.
        let name = String(port.map { $0 == "/" ? "_" : $0 })
        do throws(LockError) {
            claims[port] = (Claim(try LockFile("\(folder)/\(name)", owner: owner)), 1)
            return .ours
        } catch {
            switch error {
            case .held(_, let owner): return .held(by: owner.isEmpty ? "another instance" : owner)
            case .file(let error): return .failed("\(error)")
            }
        }
    }

    /// Gives a port back, once for each time it was claimed.
    func release(_ port: String) {
        guard let held = claims[port] else { return }
        claims[port] = held.count > 1 ? (held.claim, held.count - 1) : nil
    }
}
