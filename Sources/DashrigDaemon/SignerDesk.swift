import ControlProtocol
import Credentials
import LinuxIO
import RigConfiguration
import RigCore
import RigModel
import ServiceManager

/// Signs and verifies for the core, with the rig's own credentials.
///
/// At the start only the folder is looked at. libcrypto, the keys and the certificates are loaded, or made, in a job when
/// the first session waits for them: a rig that nobody plugs a phone into pays nothing.
final class SignerDesk {
    private enum State {
        /// The fixed test signer is the core's own. Awaited: a reload. Exits: folder.
        case unused
        /// The folder is being looked at; `isAwaited` when a session waits. Exits: resting, loading, failed.
        case folder(isAwaited: Bool)
        /// Nobody needed a signature so far. Awaited: a session that waits. Exits: loading.
        case resting
        /// The credentials are being loaded or made. Exits: ready, failed, unused.
        case loading
        /// Awaited: questions. Exits: folder (a reload that names another signer).
        case ready(SelfMadeCredentials)
        /// There is no signer. Awaited: a reload. Exits: folder, unused.
        case failed
    }

    private let daemon: Daemon
    private let jobs: JobPool
    private let folder: String?
    private var settings: AuthenticationSettings
    private var state = State.unused
    /// Counts the beginnings: what an earlier one's job says is late.
    private var beginning = 0

    /// The key of its jobs, apart from those of devices.
    private static let jobKey: UInt64 = 1 << 61
    /// How long a job may take: ours, many times what a slow board needs for its keys, and more than the wait for
    /// another process that makes its own.
    private static let jobTime: UInt64 = 30_000_000_000

    init(daemon: Daemon, jobs: JobPool, folder: String?) {
        self.daemon = daemon
        self.jobs = jobs
        self.folder = folder
        settings = daemon.configuration.settings.authentication
        daemon.onQuestion = { [unowned self] in answer($0, $1) }
        daemon.onSignerNeeded = { [unowned self] in needed() }
    }

    /// Looks at the folder, unless the test signer is wanted.
    func start() {
        beginning += 1
        guard settings.signer != .test else {
            state = .unused
            return daemon.feed(.signerChanged(.fixedTest))
        }
        state = .folder(isAwaited: false)
        daemon.feed(.signerChanged(.preparing))
        guard let folder else {
            return fail("there is no state directory, since neither $STATE_DIRECTORY nor $HOME is set; use --state-dir")
        }
        submit(
            { () throws(CredentialError) in try CredentialFolder.prepare(in: folder) },
            then: { [unowned self] in looked() })
    }

    /// The configuration was read again.
    func reconfigured(_ new: AuthenticationSettings) {
        let old = settings
        settings = new
        switch state {
        case .ready(let credentials):
            if old.signer != new.signer { return start() }
            if old.shape != new.shape { ready(credentials) }
        case .failed: start()
        case .unused, .folder, .resting, .loading: if old.signer != new.signer { start() }
        }
    }

    // MARK: Becoming ready

    private func looked() {
        guard case .folder(let isAwaited) = state else { return }
        state = .resting
        if isAwaited { load() }
    }

    private func needed() {
        switch state {
        case .folder: state = .folder(isAwaited: true)
        case .resting: load()
        case .unused, .loading, .ready, .failed: break
        }
    }

    private func load() {
        guard let folder else { return }
        state = .loading
        submit(
            { () throws(CredentialError) in try SelfMadeCredentials.load(from: folder) },
            then: { [unowned self] in ready($0) })
    }

    private func ready(_ credentials: SelfMadeCredentials) {
        state = .ready(credentials)
        let shape = AuthenticationShape(settings.shape)
        daemon.journal.log(
            .info, "signer.ready", "signatures are made by libcrypto, with keys of the rig's own",
            [LogField("shape", shape.rawValue), LogField("folder", folder.map(CredentialFolder.path) ?? "")])
        daemon.feed(.signerChanged(.ready(certificate: credentials.certificate(shape))))
    }

    private func failed(_ error: CredentialError) {
        if case .unavailable(let why) = error, settings.signer == .auto {
            state = .unused
            daemon.journal.log(
                .notice, "signer.fixedTest", "signatures are those of the fixed test signer and prove nothing: \(why)")
            return daemon.feed(.signerChanged(.fixedTest))
        }
        fail("\(error)")
    }

    private func fail(_ why: String) {
        state = .failed
        daemon.journal.log(.error, "signer.failed", "no session can be authenticated: \(why); then reload the daemon")
        daemon.feed(.signerChanged(.failed(why)))
    }

    /// Does what can block in a job.
    private func submit<Value: Sendable>(
        _ work: @escaping @Sendable () throws(CredentialError) -> Value, then: @escaping (Value) -> Void
    ) {
        let beginning = beginning
        let attempt: @Sendable () -> Result<Value, CredentialError> = {
            do throws(CredentialError) {
                return .success(try work())
            } catch {
                return .failure(error)
            }
        }
        do throws(JobRefusal) {
            try jobs.submit(
                key: Self.jobKey, deadline: SystemClock.monotonicNow() + Self.jobTime, attempt,
                completion: { [weak self] (outcome: JobOutcome<Result<Value, CredentialError>>) in
                    guard let self, self.beginning == beginning else { return }
                    switch outcome {
                    case .finished(.success(let value)): then(value)
                    case .finished(.failure(let error)): failed(error)
                    case .abandoned:
                        fail("\(folder ?? ""): the disk did not answer within \(Self.jobTime / 1_000_000_000) s")
                    }
                })
        } catch {
            fail("no job for the credentials: \(error)")
        }
    }

    // MARK: Questions

    private func answer(_ ticket: SignerTicket, _ question: SignerQuestion) {
        guard case .ready(let credentials) = state else {
            return daemon.feed(.signerAnswered(ticket, .unavailable("the signer is not ready")))
        }
        daemon.feed(.signerAnswered(ticket, answer(question, credentials)))
    }

    private func answer(_ question: SignerQuestion, _ credentials: SelfMadeCredentials) -> SignerAnswer {
        switch question {
        case .sign(let challenge, let shape):
            do throws(CredentialError) {
                return .signature(try credentials.sign(challenge, shape))
            } catch {
                return .unavailable("\(error)")
            }
        case .verify(let certificate, let challenge, let signature):
            return .verdict(
                credentials.verify(
                    certificate: certificate, challenge: challenge, signature: signature,
                    policy: CertificatePolicy(settings), now: Int64(SystemClock.realtimeNow() / 1_000_000_000)))
        }
    }
}

extension CertificatePolicy {
    fileprivate init(_ settings: AuthenticationSettings) {
        switch settings.certificates {
        case .any: self = .any
        case .pinned: self = .pinned(settings.pinned)
        case .selfMade: self = .selfMade
        }
    }
}
