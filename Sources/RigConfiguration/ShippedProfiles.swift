/// The files that come with Dashrig, compiled in, so that the rig works without any file. This text is the source; the
/// files under `profiles/` are copies for people to read and to start from, and a test holds them equal byte for byte.
public enum ShippedProfiles {
    /// The head-unit profiles, in the order in which they are listed. File names are relative to `profiles/`.
    public static let headUnits: [ConfigurationFile] = [
        minimum, standard, portrait, portraitReference, wide, clusterMinimum, clusterBasic, clusterWide,
        clusterWideSmallSafeArea,
    ]

    private static func headUnit(_ name: String, _ text: String) -> ConfigurationFile {
        ConfigurationFile(name: "head-units/\(name).ini", text: text)
    }

    private static let minimum = headUnit(
        "minimum",
        """
        # The smallest display that CarPlay allows.

        [profile]
        name = minimum
        description = Smallest display, 748x456 @2

        [display main]
        role = main
        pixels = 748x456
        scale = 2
        millimetres = assumed
        frames-per-second = 60
        inputs = touchscreen, knob, keys

        """)

    private static let standard = headUnit(
        "standard",
        """
        # The display that most head units have and that the Simulator starts with.

        [profile]
        name = standard
        description = Standard display, 800x480 @2

        [display main]
        role = main
        pixels = 800x480
        scale = 2
        millimetres = assumed
        frames-per-second = 60
        inputs = touchscreen, knob, keys

        """)

    private static let portrait = headUnit(
        "portrait",
        """
        # The tall display that the developer guide recommends to test with.

        [profile]
        name = portrait
        description = Portrait display, 900x1200 @3

        [display main]
        role = main
        pixels = 900x1200
        scale = 3
        millimetres = assumed
        frames-per-second = 60
        inputs = touchscreen, knob, keys

        """)

    private static let portraitReference = headUnit(
        "portrait-reference",
        """
        # The tall display that the reference pages name.

        [profile]
        name = portrait-reference
        description = Portrait display of the reference pages, 768x1024 @2

        [display main]
        role = main
        pixels = 768x1024
        scale = 2
        millimetres = assumed
        frames-per-second = 60
        inputs = touchscreen, knob, keys

        """)

    private static let wide = headUnit(
        "wide",
        """
        # A wide display of high resolution.

        [profile]
        name = wide
        description = Wide display, 1920x720 @3

        [display main]
        role = main
        pixels = 1920x720
        scale = 3
        millimetres = assumed
        frames-per-second = 60
        inputs = touchscreen, knob, keys

        """)

    private static let clusterMinimum = headUnit(
        "cluster-minimum",
        """
        # A standard display and the smallest instrument cluster.

        [profile]
        name = cluster-minimum
        description = Standard display and the smallest instrument cluster, 300x200 @3

        [display main]
        role = main
        pixels = 800x480
        scale = 2
        millimetres = assumed
        frames-per-second = 60
        inputs = touchscreen, knob, keys

        [display cluster]
        role = instrument-cluster
        pixels = 300x200
        scale = 3
        millimetres = assumed
        frames-per-second = 60
        view-area = 0,0 300x200
        safe-area = 0,0 300x200
        inputs = keys

        """)

    private static let clusterBasic = headUnit(
        "cluster-basic",
        """
        # A standard display and a basic instrument cluster.

        [profile]
        name = cluster-basic
        description = Standard display and a basic instrument cluster, 640x480 @2

        [display main]
        role = main
        pixels = 800x480
        scale = 2
        millimetres = assumed
        frames-per-second = 60
        inputs = touchscreen, knob, keys

        [display cluster]
        role = instrument-cluster
        pixels = 640x480
        scale = 2
        millimetres = assumed
        frames-per-second = 60
        view-area = 0,0 640x480
        safe-area = 0,0 640x480
        inputs = keys

        """)

    private static let clusterWide = headUnit(
        "cluster-wide",
        """
        # A wide display and a wide instrument cluster: gauges cover the left and the right of it.

        [profile]
        name = cluster-wide
        description = Wide display and a wide instrument cluster, 1920x720 @3, safe area 1080x720

        [display main]
        role = main
        pixels = 1920x720
        scale = 3
        millimetres = assumed
        frames-per-second = 60
        inputs = touchscreen, knob, keys

        [display cluster]
        role = instrument-cluster
        pixels = 1920x720
        scale = 3
        millimetres = assumed
        frames-per-second = 60
        view-area = 0,0 1920x720
        safe-area = 420,0 1080x720
        draws-outside-safe-area = yes
        inputs = keys

        """)

    private static let clusterWideSmallSafeArea = headUnit(
        "cluster-wide-small-safe-area",
        """
        # A wide display and a wide instrument cluster of which only the middle is free.

        [profile]
        name = cluster-wide-small-safe-area
        description = Wide display and a wide instrument cluster, 1920x720 @2, safe area 640x480

        [display main]
        role = main
        pixels = 1920x720
        scale = 3
        millimetres = assumed
        frames-per-second = 60
        inputs = touchscreen, knob, keys

        [display cluster]
        role = instrument-cluster
        pixels = 1920x720
        scale = 2
        millimetres = assumed
        frames-per-second = 60
        view-area = 0,0 1920x720
        safe-area = 640,120 640x480
        draws-outside-safe-area = yes
        inputs = keys

        """)
}
