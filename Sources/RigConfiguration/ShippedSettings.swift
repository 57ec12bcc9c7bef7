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

            [link]
            # What the rig's head unit offers and its phones take, for links that begin from now on. Packets and their
            # length are what each side takes; the rest is offered by the head unit and repeated by the phone.
            # The link version that the head unit offers, and the newest one that a phone answers with: 1 to 3.
            version = 1
            phone-version = 1
            # Packets that may be on their way at once, and bytes of the longest one.
            window = 32
            phone-window = 127
            packet-length = 4KiB
            phone-packet-length = 65535B
            # control, file-transfer, external-accessory; they are numbered from first-channel on.
            channels = control, file-transfer
            first-channel = 1
            # A packet that is not acknowledged is sent again after this time, as often as this; each time the time is
            # multiplied by retransmission-backoff.
            retransmission-timeout = 2s
            retransmissions = 30
            retransmission-backoff = 1
            # Whether a packet that is sent again because the other side named it counts as one of these times.
            count-named-retransmissions = yes
            # no: nothing is acknowledged and nothing sent again.
            acknowledgements = yes
            # For how long an acknowledgement is held back, and after how many packets it is sent at once.
            acknowledgement-timeout = 500ms
            cumulative-acknowledgements = 6
            # How missing packets are named: with-acknowledge (EAK with the ACK bit), alone (without) or off.
            extended-acknowledgement = with-acknowledge
            # How often a side counters a proposal, and how the head unit does: with an offer or an answer.
            negotiation-rounds = 10
            restatement = offer
            # yes: the head unit begins with its offer, without detection.
            begin-with-offer = no
            detect-interval = 1s
            synchronize-interval = 500ms
            # What both ends take of a proposal; what is outside is countered with the nearest value inside.
            accept-retransmission-timeout = 20ms..65535ms
            accept-acknowledgement-timeout = 10ms..65535ms
            accept-retransmissions = 1..30
            accept-cumulative-acknowledgements = 1..127
            # What a phone takes; nothing stands for all channels.
            accept-without-acknowledgements = yes
            accept-channels =
            # What may wait behind the window, and what is held while something before it is missing.
            send-queue-packets = 256
            send-queue-bytes = 1MiB
            receive-buffer-bytes = 1MiB

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
            # Controllers on CAN buses: INTERFACE:CONTROLLER, as in can0:idrive-g. Only these interfaces are opened.
            can =
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
    public static let all: [ConfigurationFile] = [settings] + headUnits + devices + can
}
