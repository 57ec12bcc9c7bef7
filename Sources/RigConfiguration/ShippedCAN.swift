extension ShippedProfiles {
    /// The controllers on CAN buses. File names are relative to `profiles/`.
    public static let can: [ConfigurationFile] = [idrive]

    // Sources, facts and figures only. F series: rusefi's example for the part 9286699 (ids, start, keep-alive 0x560 at
    // least every 1.5 s, places of state and button; it counts bytes from 1). G series: llilakoblock/bmw-idrive-touch-esp32-s3
    // 3c1a585, tested with the part 65826829079 (0x267, 0x264, 0x0BF, 0x317 every 5 to 50 ms, 0x501, 0x5E7 byte 4 = 06, the
    // counter's 16 bits). ZBE_07: a public interpreter of 0x25B for the part 9423197, and 0x567 as its status. That the
    // directions and buttons of the F series are numbered as those of the G series is an assumption: only its byte places
    // and states are described.
    private static let idrive = ConfigurationFile(
        name: "can/idrive.ini",
        text: """
            # BMW's iDrive controllers. Each is used only where [input] can names it with its interface, as in
            # can = can0:idrive-g. Ids, bytes and masks are hexadecimal; bytes are counted from 0, the lowest bits come first.

            [can idrive-f]
            model = iDrive controller of the F series
            name-prefix = idrive
            bit-rate = 500000
            # Where the knob stands: it runs over its end. The first frame tells no turn.
            turn = 264 3 4
            # Each frame speaks of one control: byte 4 says of which kind, byte 5 of which button.
            press = 267 if 4=de down 3&0f=1 held 3&0f=2
            nudge-up = 267 if 4=dd down 3=11 held 3=12
            nudge-right = 267 if 4=dd down 3=21 held 3=22
            nudge-down = 267 if 4=dd down 3=41 held 3=42
            nudge-left = 267 if 4=dd down 3=81 held 3=82
            # The button of the menu; those of radio, CD, navigation and options have no key of a car.
            home = 267 if 4=c0 5=01 down 3&0f=1 held 3&0f=2
            back = 267 if 4=c0 5=02 down 3&0f=1 held 3&0f=2
            call = 267 if 4=c0 5=40 down 3&0f=1 held 3&0f=2
            alive = 277, 567, 5e7
            reset = 5e7 4=06
            start = 273 1d e1 00 f0 ff 7f de 04
            keep-alive = 560 03
            keep-alive-every = 500ms

            [can idrive-g]
            model = iDrive Touch controller of the G series (ZBE4)
            name-prefix = idrive
            bit-rate = 500000
            turn = 264 3 4
            press = 267 if 4=de down 3&0f=1 held 3&0f=2
            nudge-up = 267 if 4=dd down 3=11 held 3=12
            nudge-right = 267 if 4=dd down 3=21 held 3=22
            nudge-down = 267 if 4=dd down 3=41 held 3=42
            nudge-left = 267 if 4=dd down 3=81 held 3=82
            home = 267 if 4=c0 5=01 down 3&0f=1 held 3&0f=2
            back = 267 if 4=c0 5=02 down 3&0f=1 held 3&0f=2
            call = 267 if 4=c0 5=40 down 3&0f=1 held 3&0f=2
            # The pad on the knob: two fingers of nine bits each way, up to four are counted.
            pad = 0bf
            pad-x = 1 2&01
            pad-y = 2&f0 3&1f
            pad-x2 = 5 6&01
            pad-y2 = 6&f0 7&1f
            pad-rows = from-bottom
            pad-fingers = 4 11=0 10=1 00=2 1f=3 0f=4
            alive = 277, 567, 5e7
            reset = 5e7 4=06
            start = 273 1d e1 00 f0 ff 7f de 04
            keep-alive = 501 01 00 00 00 00 00 00 00
            keep-alive-every = 500ms
            # The pad answers only when it is asked.
            poll = 317 10 00 00 00 00 00 00 00
            poll-every = 20ms

            [can idrive-zbe07]
            model = iDrive controller ZBE_07
            name-prefix = idrive
            bit-rate = 500000
            # One message says how everything stands. That buttons are touched is not listened to.
            turn = 25b 1
            press = 25b down 3=01
            nudge-up = 25b down 3=10
            nudge-right = 25b down 3=40
            nudge-down = 25b down 3=70
            nudge-left = 25b down 3=a0
            home = 25b down 4=04
            back = 25b down 4=20
            call = 25b down 5=08
            alive = 567

            """)
}
