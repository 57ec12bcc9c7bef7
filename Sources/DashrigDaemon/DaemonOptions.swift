import ServiceManager

/// What the command line of `dashrigd` says.
struct DaemonOptions: Equatable, Sendable {
    /// What the process is to do.
    enum Mode: Equatable, Sendable {
        /// Serve until told to stop.
        case run
        /// Read the configuration, say what is wrong with it, and end.
        case checkConfiguration
        /// Print the version and end.
        case version
        /// Print how to use it and end.
        case help
        /// Print an interface file and end.
        case printInterface(String)
    }

    var mode = Mode.run
    /// The folder of the sockets; `nil` is the system's, or those that the service manager hands over.
    var socketDirectory: String?
    /// Where recordings and certificates go; `nil` is `$STATE_DIRECTORY`, else the XDG state folder.
    var stateDirectory: String?
    /// The configuration file; `nil` is `/etc/dashrig/dashrig.ini` where there is one.
    var configuration: String?
    /// Where instances claim ports; `nil` is `/run/dashrig/ports`, where it exists.
    var portsDirectory: String?
    /// Whether USB is watched.
    var usesUSB = true
    /// Whether input devices are watched.
    var usesInput = true
    /// What is logged at the least.
    var logLevel = LogLevel.info

    /// How to use it.
    static let usage = """
        dashrigd - the hardware side of a car on a bench

        Usage: dashrigd [OPTION]...

          --socket-dir DIR    put the sockets into DIR (default: /run/dashrig, or those that systemd hands over)
          --state-dir DIR     put recordings and certificates into DIR (default: $STATE_DIRECTORY, else
                              $XDG_STATE_HOME/dashrig, else ~/.local/state/dashrig)
          --config FILE       read FILE (default: /etc/dashrig/dashrig.ini, where there is one); drop-ins are FILE.d/*.ini,
                              head units and device tables are head-units/*.ini and devices/*.ini beside FILE
          --ports-dir DIR     claim ports in DIR, so that a device belongs to one instance (default: /run/dashrig/ports,
                              where it exists)
          --no-usb            do not watch USB
          --no-input          do not watch knobs
          --log-level LEVEL   critical, error, warning, notice, info (default) or debug
          --check-config      read the configuration, say what is wrong with it, and end: 0 when it is right, 2 when not
          --print-interface I print the interface file of org.dashrig.Rig or org.dashrig.App and end
          --version           print the version and end
          --help              print this and end

        SIGHUP reads the configuration again; sessions go on. SIGTERM and SIGINT stop it.

        Examples:
          dashrigd --socket-dir /tmp/rig --no-usb --no-input     a rig without hardware and without root
          dashrigd --config ./dashrig.ini --check-config         is this configuration right?

        """

    /// Reads arguments, without the program's name.
    ///
    /// - Throws: one line that says which argument is wrong and what would be right.
    init(_ arguments: [String]) throws(DaemonOptionError) {
        var rest = arguments[...]
        func value(of option: String, inline: String?) throws(DaemonOptionError) -> String {
            if let inline { return inline }
            guard let next = rest.popFirst() else {
                throw DaemonOptionError("\(option) needs a value; see dashrigd --help")
            }
            return next
        }
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            let name = argument.hasPrefix("--") ? parts.first ?? argument : argument
            let inline = argument.hasPrefix("--") && parts.count == 2 ? parts[1] : nil
            switch name {
            case "--socket-dir": socketDirectory = try value(of: name, inline: inline)
            case "--state-dir": stateDirectory = try value(of: name, inline: inline)
            case "--config": configuration = try value(of: name, inline: inline)
            case "--ports-dir": portsDirectory = try value(of: name, inline: inline)
            case "--no-usb": usesUSB = false
            case "--no-input": usesInput = false
            case "--log-level":
                let text = try value(of: name, inline: inline)
                guard let level = LogLevel(named: text) else {
                    let names = LogLevel.allCases.map(\.name).joined(separator: ", ")
                    throw DaemonOptionError("--log-level \(text): there is \(names)")
                }
                logLevel = level
            case "--check-config": mode = .checkConfiguration
            case "--print-interface": mode = .printInterface(try value(of: name, inline: inline))
            case "--version": mode = .version
            case "--help", "-h": mode = .help
            default: throw DaemonOptionError("unknown argument '\(argument)'; see dashrigd --help")
            }
        }
    }
}

/// Why the command line of `dashrigd` is wrong.
struct DaemonOptionError: Error, Equatable, Sendable {
    /// One line for a person.
    let text: String

    init(_ text: String) { self.text = text }
}
