extension ShippedProfiles {
    // Codes: linux/input-event-codes.h, and which HID usages the kernel's hid-input makes them of. The keyboard's keys are
    // those of the desktop head unit.
    static let keymaps = table(
        "keymaps",
        """
        # What keys mean. A rule names the keymaps that hold for it; of keys that stand in several the first counts.

        [keymap volume]
        # Encoder boards that call themselves a volume knob.
        KEY_VOLUMEUP = turn 1
        KEY_VOLUMEDOWN = turn -1
        KEY_MUTE = press

        [keymap arrows]
        # Encoder boards that call themselves a keyboard.
        KEY_RIGHT = turn 1
        KEY_LEFT = turn -1
        KEY_DOWN = turn 1
        KEY_UP = turn -1
        KEY_ENTER = press
        KEY_KPENTER = press
        KEY_SPACE = press
        KEY_BACKSPACE = back
        KEY_ESC = back

        [keymap dhu]
        # A keyboard as a knob, with the keys of the desktop head unit.
        KEY_1 = turn -1
        KEY_2 = turn 1
        KEY_UP = nudge up
        KEY_DOWN = nudge down
        KEY_LEFT = nudge left
        KEY_RIGHT = nudge right
        KEY_ENTER = press
        KEY_KPENTER = press
        KEY_BACKSPACE = back

        [keymap consumer]
        # Media, telephony and the keys around a knob.
        KEY_HOMEPAGE = home
        KEY_BACK = back
        KEY_VOICECOMMAND = voice
        KEY_ASSISTANT = voice
        KEY_PLAY = play
        KEY_PLAYCD = play
        KEY_PAUSECD = pause
        KEY_PLAYPAUSE = play-pause
        KEY_NEXTSONG = next
        KEY_PREVIOUSSONG = previous
        KEY_PHONE = hook-switch
        KEY_PICKUP_PHONE = call
        KEY_HANGUP_PHONE = hang-up
        KEY_MUTE = mute
        KEY_MICMUTE = mute
        KEY_SELECT = select
        KEY_OK = select

        [keymap pad]
        # The button of a touchpad.
        BTN_LEFT = select

        [keymap shuttle-xpress]
        # From left to right; which is what is ours.
        BTN_4 = back
        BTN_5 = previous
        BTN_6 = press
        BTN_7 = next
        BTN_8 = home

        [keymap shuttle-pro]
        # The row below the jog wheel as above, and of the others those beside it; the rest means nothing.
        BTN_4 = back
        BTN_5 = previous
        BTN_6 = press
        BTN_7 = next
        BTN_8 = home
        BTN_0 = call
        BTN_1 = hang-up
        BTN_2 = voice
        BTN_3 = play-pause

        """)

    // Ids: the kernel's powermate driver, public USB id lists and dumps. Capabilities: dumps, the kernel's rotary-encoder
    // and hid-input drivers.
    static let inputs = table(
        "inputs",
        """
        # Input devices on evdev, by their ids, their names, or what they can do.
        #
        # What people work with at the machine itself (keyboards, touchpads, touchscreens, volume keys) is taken only when
        # [input] in dashrig.ini lists its name or its port: only-chosen.

        [input powermate]
        kind = knob
        priority = 210
        # PowerMate, the soundKnob that is the same, and the Contour that the kernel's driver takes for one.
        match-vendor = 077d, 05f3
        match-product = 0410, 04aa, 0240
        match-rel = REL_DIAL
        axis = REL_DIAL
        press = BTN_0

        [input surface-dial]
        kind = knob
        priority = 210
        # Reports tenths of a degree, 3600 in a turn. 36 detents in a turn are assumed.
        match-vendor = 045e
        match-product = 091b
        match-rel = REL_DIAL
        axis = REL_DIAL
        press = BTN_0
        units-per-detent = 100

        [input surface-dial-rest]
        kind = none
        priority = 200
        # Its other two nodes: keys for sleep and wake-up, which nobody wants, and where it stands on a screen.
        match-vendor = 045e
        match-product = 091b

        [input shuttle-xpress]
        kind = knob
        priority = 210
        # The jog wheel is a counter of 8 bits on a relative axis, the spring ring around it is not used.
        match-vendor = 0b33
        match-product = 0020
        match-rel = REL_DIAL
        axis = REL_DIAL
        counter-range = 256
        keys = shuttle-xpress

        [input shuttle-pro]
        kind = knob
        priority = 210
        # 0010 is the first ShuttlePRO, 0030 the v2.
        match-vendor = 0b33
        match-product = 0010, 0030
        match-rel = REL_DIAL
        axis = REL_DIAL
        counter-range = 256
        keys = shuttle-pro

        [input gpio-rotary]
        kind = knob
        priority = 150
        # The kernel's rotary-encoder. Its axis is what the device tree says, relative or absolute; its switch is a
        # gpio-keys device, which a rule of your own adds with part and group.
        match-name = rotary@*, rotary-encoder*
        match-rel = REL_X, REL_Y, REL_DIAL, REL_WHEEL, REL_HWHEEL, REL_MISC
        axis = REL_DIAL, REL_WHEEL, REL_X, REL_Y, REL_HWHEEL, REL_MISC

        [input gpio-rotary-absolute]
        kind = knob
        priority = 150
        match-name = rotary@*, rotary-encoder*
        match-abs = ABS_X, ABS_Y, ABS_Z, ABS_WHEEL, ABS_THROTTLE, ABS_RUDDER, ABS_MISC
        position-axis = ABS_WHEEL, ABS_X, ABS_Y, ABS_Z, ABS_THROTTLE, ABS_RUDDER, ABS_MISC

        [input multi-axis]
        kind = knob
        priority = 120
        # A knob that can be pushed: HID's multi-axis controller, with its stick on absolute axes.
        match-rel = REL_DIAL, REL_WHEEL
        match-abs = ABS_X, ABS_Y
        without-rel = REL_X, REL_Y
        without-key = KEY_A, BTN_TOUCH, BTN_TOOL_FINGER, BTN_TOOL_PEN
        axis = REL_DIAL, REL_WHEEL
        nudge-x = ABS_X
        nudge-y = ABS_Y
        press = BTN_0, BTN_1, BTN_2, BTN_TRIGGER, BTN_SOUTH, KEY_ENTER
        keys = consumer

        [input absolute-dial]
        kind = knob
        priority = 110
        # An absolute Dial or Wheel of HID: where it stands, not how far it went.
        match-abs = ABS_WHEEL, ABS_RUDDER
        without-abs = ABS_X, ABS_Y, ABS_THROTTLE, ABS_MT_POSITION_X
        without-rel = REL_X, REL_DIAL, REL_WHEEL
        without-key = KEY_A, BTN_TOUCH, BTN_TOOL_PEN, BTN_SOUTH
        position-axis = ABS_RUDDER, ABS_WHEEL
        press = BTN_0, BTN_1, BTN_2, BTN_TRIGGER, KEY_ENTER
        keys = consumer

        [input knob-dial]
        kind = knob
        priority = 100
        match-rel = REL_DIAL
        # A keyboard with a dial is a keyboard: taking it would take the keyboard away.
        without-key = KEY_A
        axis = REL_DIAL
        press = BTN_0, BTN_1, BTN_2, BTN_3, BTN_4, BTN_5, BTN_6, BTN_7, BTN_8, BTN_9, KEY_ENTER
        keys = consumer

        [input knob-wheel]
        kind = knob
        priority = 90
        match-rel = REL_WHEEL
        # With X or Y it is a mouse.
        without-rel = REL_X, REL_Y
        without-key = KEY_A
        axis = REL_WHEEL
        press = BTN_0, BTN_1, BTN_2, BTN_3, BTN_4, BTN_5, BTN_6, BTN_7, BTN_8, BTN_9, BTN_MIDDLE, KEY_ENTER
        keys = consumer

        [input touchpad]
        kind = touchpad
        priority = 60
        only-chosen = yes
        match-key = BTN_TOOL_FINGER
        match-abs = ABS_X, ABS_MT_POSITION_X
        without-key = BTN_TOOL_PEN
        without-property = INPUT_PROP_DIRECT
        keys = pad

        [input touchscreen]
        kind = touchscreen
        priority = 55
        only-chosen = yes
        match-key = BTN_TOUCH
        match-abs = ABS_X, ABS_MT_POSITION_X
        match-property = INPUT_PROP_DIRECT
        without-key = BTN_TOOL_PEN

        [input touchscreen-plain]
        kind = touchscreen
        priority = 50
        only-chosen = yes
        # Older drivers tell no properties.
        match-key = BTN_TOUCH
        match-abs = ABS_X, ABS_MT_POSITION_X
        without-key = BTN_TOOL_PEN, BTN_TOOL_FINGER, BTN_LEFT, BTN_SOUTH
        without-property = INPUT_PROP_POINTER

        [input encoder-volume]
        kind = knob
        priority = 45
        only-chosen = yes
        match-every-key = KEY_VOLUMEUP, KEY_VOLUMEDOWN
        without-key = KEY_A, BTN_LEFT
        keys = volume, consumer
        bounce = 5ms

        [input encoder-arrows]
        kind = knob
        priority = 40
        only-chosen = yes
        match-every-key = KEY_LEFT, KEY_RIGHT
        without-key = KEY_A, BTN_LEFT
        keys = arrows, consumer
        bounce = 5ms

        [input keyboard]
        kind = knob
        priority = 35
        only-chosen = yes
        match-every-key = KEY_1, KEY_2, KEY_LEFT, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_ENTER
        keys = dhu, consumer

        [input consumer-keys]
        kind = keys
        priority = 30
        only-chosen = yes
        match-key = KEY_HOMEPAGE, KEY_BACK, KEY_VOICECOMMAND, KEY_PLAYPAUSE, KEY_NEXTSONG, KEY_PHONE, KEY_PICKUP_PHONE
        without-key = KEY_A, BTN_LEFT
        keys = consumer

        """)
}
