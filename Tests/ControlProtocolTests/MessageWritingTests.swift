import ControlProtocol
import Testing
import WireBytes

/// What a scenario or a client writes by name.
@Suite("MessageContent: writing by name")
struct MessageWritingTests {
    private func bytes(_ name: String, _ fields: [FieldEntry]) throws -> [UInt8] {
        try MessageContent(named: name, fields).message().encoded()
    }

    @Test("a message of names and values is the one of the typed message")
    func names() throws {
        var update = NowPlayingUpdate()
        update.mediaItem = NowPlayingUpdate.MediaItem()
        update.mediaItem?.title = "Song"
        update.mediaItem?.duration = 180_000
        update.playback = NowPlayingUpdate.Playback()
        update.playback?.state = .playing
        update.playback?.isSeekable = true
        let written = try bytes(
            "NowPlayingUpdate",
            [
                FieldEntry(
                    "mediaItem",
                    .group([FieldEntry("title", .text("Song")), FieldEntry("duration", .signed(180_000))])),
                FieldEntry(
                    "playback",
                    .group([FieldEntry("state", .text("playing")), FieldEntry("isSeekable", .boolean(true))])),
            ])
        #expect(written == (try update.message().encoded()))
    }

    @Test("what JSON cannot tell apart is taken as the field's type has it")
    func leniency() throws {
        let report = try bytes(
            "AccessoryHIDReport", [FieldEntry("component", .unsigned(1)), FieldEntry("report", .text("01 00"))])
        #expect(report == hex("40 40 00 12 68 02 00 06 00 00 00 01 00 06 00 01 01 00"))
        let flags = try bytes(
            "StartLocationInformation",
            [FieldEntry("gga", .boolean(true)), FieldEntry("rmc", .present), FieldEntry("gsv", .boolean(false))])
        #expect(flags == hex("40 40 00 0E FF FA 00 04 00 01 00 04 00 02"))
        let byNumber = try bytes("0xFFFA", [FieldEntry("1", .present), FieldEntry("2", .raw([]))])
        #expect(byNumber == flags)
        let languages = try bytes(
            "IdentificationInformation", [FieldEntry("supportedLanguage", .list([.text("en"), .text("ko")]))])
        #expect(languages == hex("40 40 00 14 1D 01 00 07 00 0D 65 6E 00 00 07 00 0D 6B 6F 00"))
        let messages = try bytes(
            "IdentificationInformation",
            [FieldEntry("messagesSent", .list([.text("StartPowerUpdates"), .unsigned(0xAE02), .text("0xAE03")]))])
        #expect(messages == hex("40 40 00 10 1D 01 00 0A 00 06 AE 00 AE 02 AE 03"))
        let negative = try bytes("VehicleStatusUpdate", [FieldEntry("outsideTemperature", .signed(-7))])
        #expect(negative == hex("40 40 00 0C A1 01 00 06 00 04 FF F9"))
    }

    @Test("decimal text is a whole number of any width; what is none is named with the range")
    func decimalText() throws {
        let written = try bytes(
            "NowPlayingUpdate",
            [FieldEntry("mediaItem", .group([FieldEntry("identifier", .text("18446744073709551615"))]))])
        var update = NowPlayingUpdate()
        update.mediaItem = NowPlayingUpdate.MediaItem()
        update.mediaItem?.identifier = .max
        #expect(written == (try update.message().encoded()))
        for text in ["18446744073709551616", "-1", "1.0", "1e3", "", "0x10", "Song"] {
            let error = #expect(throws: FieldError.self) {
                try bytes(
                    "NowPlayingUpdate", [FieldEntry("mediaItem", .group([FieldEntry("identifier", .text(text))]))])
            }
            #expect(
                error?.description
                    == "NowPlayingUpdate.mediaItem.identifier: \"\(text)\" where is legal: "
                    + "a whole number, 0...18446744073709551615")
        }
    }

    @Test("raw bytes go as they are, where any type is expected and nowhere else")
    func raw() throws {
        let wrong = try bytes(
            "DeviceLanguageUpdate", [FieldEntry("language", .raw([0xFF])), FieldEntry("77", .raw([]))])
        #expect(wrong == hex("40 40 00 0F 4E 0A 00 05 00 00 FF 00 04 00 4D"))
        // Given again on purpose.
        let again = try bytes(
            "DeviceLanguageUpdate", [FieldEntry("language", .text("en")), FieldEntry("language", .raw([1]))])
        #expect(again.count == 6 + 7 + 5)
    }

    @Test(
        "what is wrong is named with its path and what is legal",
        arguments: [
            ("Nothing", [], "Nothing: no message of that name"),
            (
                "DeviceTimeUpdate", [FieldEntry("second", .unsigned(1))],
                "DeviceTimeUpdate.second: unknown; there are seconds, zoneMinutes, daylightSavingMinutes"
            ),
            (
                "DeviceTimeUpdate", [FieldEntry("zoneMinutes", .unsigned(40_000))],
                "DeviceTimeUpdate.zoneMinutes: 40000 where is legal: a whole number, -32768...32767"
            ),
            (
                "DeviceTimeUpdate", [FieldEntry("zoneMinutes", .text("one"))],
                "DeviceTimeUpdate.zoneMinutes: \"one\" where is legal: a whole number, -32768...32767"
            ),
            (
                "NowPlayingUpdate", [FieldEntry("playback", .group([FieldEntry("state", .text("dancing"))]))],
                "NowPlayingUpdate.playback.state: \"dancing\" where is legal: one of stopped, playing, paused, "
                    + "seekingForward, seekingBackward, or a number 0...255"
            ),
            (
                "NowPlayingUpdate", [FieldEntry("playback", .unsigned(1))],
                "NowPlayingUpdate.playback: a number where is legal: a group of state, elapsed, queueIndex, queueCount, "
                    + "chapterIndex, shuffle, repeats, appName, libraryIdentifier, speed, isSeekable, hasQueueList, "
                    + "queueTransfer, bundleIdentifier"
            ),
            (
                "MuteStatusUpdate", [FieldEntry("isMuted", .unsigned(1))],
                "MuteStatusUpdate.isMuted: a number where is legal: true or false"
            ),
            (
                "StartLocationInformation", [FieldEntry("gga", .unsigned(1))],
                "StartLocationInformation.gga: a number where is legal: true, or left out"
            ),
            (
                "DeviceLanguageUpdate", [FieldEntry("language", .text("e\0"))],
                "DeviceLanguageUpdate.language: text with a NUL where is legal: text without NUL, at most 4096 bytes"
            ),
            (
                "DeviceLanguageUpdate", [FieldEntry("language", .text("en")), FieldEntry("language", .text("de"))],
                "DeviceLanguageUpdate.language: given more than once"
            ),
            (
                "AccessoryHIDReport", [FieldEntry("report", .text("0"))],
                "AccessoryHIDReport.report: other text where is legal: bytes, or text of pairs of hexadecimal digits"
            ),
            (
                "IdentificationInformation", [FieldEntry("messagesSent", .list([.text("Nothing")]))],
                "IdentificationInformation.messagesSent: \"Nothing\" where is legal: a list of message numbers or names"
            ),
            (
                "DeviceLanguageUpdate", [FieldEntry("77", .unsigned(1))],
                "DeviceLanguageUpdate.77: a number where is legal: raw bytes, the type is not known"
            ),
            (
                "RouteGuidanceUpdate", [FieldEntry("displays", .list([.unsigned(1), .unsigned(70_000)]))],
                "RouteGuidanceUpdate.displays[1]: 70000 where is legal: a whole number, 0...65535"
            ),
        ] as [(String, [FieldEntry], String)])
    func errors(name: String, fields: [FieldEntry], text: String) {
        #expect("\(text)") {
            _ = try bytes(name, fields)
        } throws: { error in
            "\(error)" == text
        }
    }

    @Test("length, number and depth have limits")
    func limits() throws {
        let long = String(repeating: "e", count: MessageCatalogue.maximumTextLength)
        #expect(try bytes("DeviceLanguageUpdate", [FieldEntry("language", .text(long))]).count == 6 + 4 + 4097)
        #expect(throws: FieldError.self) {
            try bytes("DeviceLanguageUpdate", [FieldEntry("language", .text(long + "e"))])
        }
        let most = [FieldEntry](repeating: FieldEntry("77", .raw([])), count: ControlParameters.maximumCount)
        #expect(try bytes("DeviceLanguageUpdate", most).count == 6 + 4 * 1024)
        #expect(throws: FieldError.self) { try bytes("DeviceLanguageUpdate", most + [FieldEntry("78", .raw([]))]) }
        let half = FieldEntry("77", .raw([UInt8](repeating: 0, count: 40_000)))
        #expect(throws: FieldError.self) { try bytes("DeviceLanguageUpdate", [half, half]) }
        let list = FieldValue.list([FieldValue](repeating: .text("en"), count: MessageCatalogue.maximumFields + 1))
        #expect(throws: FieldError.self) {
            try bytes("IdentificationInformation", [FieldEntry("supportedLanguage", list)])
        }
    }
}
