import ConfigurationFiles
import LinuxIO
import RigConfiguration
import RigModel
import ServiceManager
import VarlinkProtocol

/// The whole program `dashrigd`.
public enum DaemonMain {
    /// The version of this build.
    public static let version = Release.version

    /// Runs the program.
    ///
    /// - Parameter arguments: the command line without the program's name.
    /// - Returns: the exit code: 0 when it was told to stop, 2 when the command line or the configuration is wrong, 3
    ///   when it cannot serve.
    public static func run(_ arguments: [String]) -> Int32 {
        let options: DaemonOptions
        do throws(DaemonOptionError) {
            options = try DaemonOptions(arguments)
        } catch {
            say("dashrigd: \(error.text)")
            return 2
        }
        switch options.mode {
        case .help:
            print(DaemonOptions.usage)
            return 0
        case .version:
            print("dashrigd \(version)\n")
            return 0
        case .printInterface(let name): return printInterface(name)
        case .checkConfiguration: return check(options)
        case .run: return serve(options)
        }
    }

    private static func print(_ text: String) { _ = SharedStream(1).write(Array(text.utf8)) }
    private static func say(_ text: String) { _ = SharedStream(2).write(Array("\(text)\n".utf8)) }

    private static func printInterface(_ name: String) -> Int32 {
        switch name {
        case RigInterface.name: print(RigInterface.description)
        case AppInterface.name: print(AppInterface.description)
        default:
            say("dashrigd: there is no interface '\(name)'; there is \(RigInterface.name) and \(AppInterface.name)")
            return 2
        }
        return 0
    }

    private static func check(_ options: DaemonOptions) -> Int32 {
        let loading = ConfigurationLoading(path: options.configuration)
        do throws(ConfigurationProblems) {
            _ = try loading.load()
            print("\(loading.path): the configuration is right\n")
            return 0
        } catch {
            for line in error.lines { say(line) }
            return 2
        }
    }

    private static func serve(_ options: DaemonOptions) -> Int32 {
        do {
            // Before anything else can start a thread or be hit by a signal.
            SignalDescriptor.ignoreBrokenPipe()
            let signals = try SignalDescriptor(StopSignals.all)
            let environment = Environment.current()
            let journal = try Journal(
                Journal.suitableDestination(environment: environment), identifier: "dashrigd",
                threshold: options.logLevel)
            let configuration: Configuration
            do throws(ConfigurationProblems) {
                configuration = try ConfigurationLoading(path: options.configuration).load()
            } catch {
                for line in error.lines { say(line) }
                return 2
            }
            let activated = try ActivatedSockets(environment: environment, processID: ProcessFacts.pid)
            let watchdog = try WatchdogInterval(environment: environment, processID: ProcessFacts.pid)
            let notifier = try Notifier(environment: environment)
            Environment.unset(ActivatedSockets.variables + Notifier.variables + WatchdogInterval.variables)
            let daemon = try Daemon(
                options: options, configuration: configuration, loop: try EventLoop(), journal: journal,
                signals: signals, notifier: notifier, watchdogInterval: watchdog?.interval,
                bootID: try SystemClock.bootID(), version: version)
            let sockets = SocketPlacement(options: options, settings: configuration.settings)
            let interfaces = [RigInterface.name, AppInterface.name]
            let lock = try sockets.lock(for: interfaces, activated: activated)
            for name in interfaces {
                try daemon.listen(try sockets.listener(for: name, activated: activated), interface: name)
            }
            _ = consume lock
            let jobs = try JobPool(loop: daemon.loop)
            let desk = SignerDesk(
                daemon: daemon, jobs: jobs, folder: StatePlacement.folder(options: options, environment: environment))
            daemon.onReconfigured.append { desk.reconfigured($0.settings.authentication) }
            desk.start()
            let buses = try Buses(daemon: daemon, jobs: jobs, options: options)
            try buses.start()
            try daemon.run()
            buses.stop()
            jobs.shutDown()
            return 0
        } catch {
            say("dashrigd: \(error)")
            return 3
        }
    }
}
