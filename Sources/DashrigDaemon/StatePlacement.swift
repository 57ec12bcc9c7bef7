import LinuxIO

/// Where the daemon keeps what outlives it.
enum StatePlacement {
    /// The state directory: what the command line names, else the first of systemd's `$STATE_DIRECTORY`, else the XDG
    /// state folder. Nil when there is neither a home.
    static func folder(options: DaemonOptions, environment: Environment) -> String? {
        if let named = options.stateDirectory { return named }
        if let given = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(given) }
        // A relative path means nothing, says the XDG base directory specification.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/dashrig" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/dashrig" }
        return nil
    }
}
