extension ShippedProfiles {
    /// The device tables, in the order in which they are read. File names are relative to `profiles/`.
    public static let devices: [ConfigurationFile] = [apple, android, others, keymaps, inputs]

    static func table(_ name: String, _ text: String) -> ConfigurationFile {
        ConfigurationFile(name: "devices/\(name).ini", text: text)
    }

    // Products: the list of ids of libgpod and the range that usbmuxd takes, as collected in public USB id lists.
    private static let apple = table(
        "apple",
        """
        # Apple phones, tablets and pods in their normal modes.
        #
        # Not among them, and so never candidates: recovery mode (1281), DFU mode (1227), keyboards, mice, hubs and
        # displays, which have products of their own.

        [device iphone]
        kind = iphone
        name-prefix = iphone
        # Above head units: a phone by its ids that shows the iAP-style interface (a gadget, another rig) is a phone.
        priority = 400
        # The whole range of products that usbmuxd takes; tablets and pods within it have rules of their own.
        # 12a8 is the iPhone 5 and every later one.
        match-vendor = 05ac
        match-product = 1290-12af

        [device ipad]
        kind = ipad
        name-prefix = ipad
        priority = 410
        # 12ab is the iPad 4 and every later one.
        match-vendor = 05ac
        match-product = 129a, 129f, 12a2-12a6, 12a9, 12ab

        [device ipod]
        kind = ipod
        name-prefix = ipod
        priority = 410
        # iPod touch; 1260-126f are iPod classic and nano.
        match-vendor = 05ac
        match-product = 1260-126f, 1291, 1293, 1296, 1299, 129e, 12aa

        """)

    // Vendors: android-udev-rules, which began as the table of the Android developer pages; vivo (2d95) and Honor (339b)
    // from lists of MTP devices.
    private static let android = table(
        "android",
        """
        # Android phones: in accessory mode, with MTP, with adb.

        [device android-accessory]
        kind = android-accessory
        name-prefix = android
        # Above head units, as the iPhone: a phone by its ids that shows the iAP-style interface is a phone.
        priority = 350
        # Accessory, with adb, with audio, and all of them.
        match-vendor = 18d1
        match-product = 2d00-2d05

        [device android-mtp]
        kind = android-phone
        name-prefix = android
        priority = 340
        # MTP, and MTP with adb, of Google's phones and of the plain gadget driver.
        match-vendor = 18d1
        match-product = 4ee1-4ee2

        [device android-mtp-vendor]
        kind = android-phone
        name-prefix = android
        priority = 50
        # MTP of the other makers of phones. A camera has the same interface; that is why the vendor must be known.
        match-vendor = 0489, 04e8, 0502, 05c6, 0955, 0b05, 0bb4, 0e8d, 0fce, 1004, 109b, 12d1, 17ef, 18d1, 19d2, 1bbb, 22b8, 22d9, 2717, 2a45, 2a70, 2ae5, 2d95, 2e04, 339b
        match-interface = 06/01/01

        [device android-adb]
        kind = android-phone
        name-prefix = android
        priority = 50
        # The debug bridge, whoever made the device.
        match-interface = ff/42/01

        """)

    private static let others = table(
        "others",
        """
        # Head units, dongles, and what is never a candidate by itself.

        [device head-unit]
        kind = head-unit
        name-prefix = head-unit
        priority = 300
        # The interface tells more than ids: dongles and gadgets borrow the ids of others.
        match-interface = ff/f0/* bulk-pair

        [device dongle]
        kind = dongle
        name-prefix = dongle
        priority = 150
        match-vendor = 1314
        match-product = 1520-1521

        [device dongle-phone-side]
        kind = dongle
        name-prefix = dongle
        priority = 150
        # The side that such a box turns to a phone. As long as it shows no iAP interface it is a dongle.
        match-vendor = 08e4
        match-product = 01c0

        # The rules below come last: a phone that has, say, a storage interface beside its own stays a phone.

        [device hub]
        kind = none
        priority = 20
        match-class = 09

        [device storage]
        kind = none
        priority = 20
        match-interface = 08

        [device audio]
        kind = none
        priority = 20
        match-interface = 01

        [device hid]
        kind = none
        priority = 20
        match-interface = 03

        [device printer]
        kind = none
        priority = 20
        match-interface = 07

        """)
}
