extension ShippedProfiles {
    /// A `dashrig.ini` in which every key stands with its default. Reading it changes nothing.
    public static let settings = ConfigurationFile(
        name: "dashrig.ini",
        text: """
            # Settings of dashrigd. Every key stands here with its default; what is left out keeps it.
            # Files in dashrig.ini.d/ are read after this one, in the order of their names; the later one wins.

            [rig]
            # The instance's name where several rigs run on one machine.
            instance =
            # Which session is in front when nobody says so: first, last or priority.
            front = first
            # For front = priority: device names, the best first.
            # priority = iphone-1, android-1
            # The head-unit profile that the rig shows to a phone.
            head-unit = standard
            # For how long after a removal the port alone tells that the same device is back.
            reenumeration-window = 5s
            # How often a failed handshake is tried again, and the pause before each time.
            handshake-retries = 3
            retry-delays = 1s, 2s, 4s
            # The pause after a failed authentication, doubled with each one after another, and the longest of them.
            authentication-pause = 1s
            authentication-pause-maximum = 64s
            # From how long on a press of the knob is a long one.
            long-press = 500ms

            [deadlines]
            # How long each step of a handshake may take.
            detect = 30s
            synchronize = 5s
            authenticate = 10s
            identify = 5s
            start = 10s

            [limits]
            clients-per-user = 1024
            clients = 4096
            rig-call-bytes = 1MiB
            app-call-bytes = 4MiB
            queue-bytes = 1MiB
            subscriptions = 1024
            devices = 1024
            apps = 256

            [usb]
            enabled = yes
            # Ports that this instance takes, and ports that it leaves: 1-1 is one port, 1-1.* all behind it. Nothing
            # stands for all ports.
            ports =
            except =
            # Whether an Apple device is asked for its mode and for what it can do; this reads only.
            apple-probes = no
            # Whether an Android phone is brought into accessory mode when it is plugged in; this changes the phone.
            accessory-mode = no
            # Whether a kernel driver is sent away from the interface of a link.
            detach-driver = no
            # Whether the rig selects a configuration for a device that has none, or another one.
            select-configuration = no

            [input]
            enabled = yes
            ports =
            except =
            # The same by the names that drivers give their devices.
            names =
            except-names =
            knobs = yes
            # Whether a knob is taken away from the desktop.
            grab = yes
            # Within how long a second press of the knob makes a double one. 0ms: there is none, and each press is told at
            # once as what it was meant.
            double-press = 0ms
            # How long a tap on a pad may last, and how far it may slip.
            tap = 250ms
            tap-slop = 4mm
            # How far fingers go for a swipe, and how long it may take.
            swipe = 10mm
            swipe-time = 500ms
            # How far a finger goes on a pad for one step of the focus.
            focus-step = 8mm

            [authentication]
            # The key that the rig's head units sign with: rsa1024 or p256.
            shape = p256
            # Which certificates its phones take: any, pinned (those listed below) or self-made (the rig's own). The
            # signature is verified in any case.
            certificates = any
            # SHA-256 fingerprints, as `openssl x509 -fingerprint -sha256` prints them.
            pinned =
            # auto is libcrypto where it is there, else test, which needs no key and proves nothing.
            signer = auto

            [socket]
            # The groups that may use the control socket and the app socket.
            group = dashrig
            app-group = dashrig-app

            """)

    /// Everything that comes with Dashrig. File names are relative to `profiles/`.
    public static let all: [ConfigurationFile] = [settings] + headUnits + devices
}
