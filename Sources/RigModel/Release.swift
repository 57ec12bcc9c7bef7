/// This release of Dashrig.
public enum Release {
    /// The version of daemon, command line and libraries: they are built from one tree.
    public static let version = "0.1.0"
}
