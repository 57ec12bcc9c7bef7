/// The buses that the daemon watches.
final class Buses {
    init(daemon: Daemon, options: DaemonOptions) throws {}
    func start() throws {}
    func stop() {}
}
