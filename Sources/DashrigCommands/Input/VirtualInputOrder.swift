internal import EvemuFormat
internal import RigConfiguration
internal import RigModel
internal import VirtualInput

/// Which virtual device a command line asks for, and what it is to play.
struct VirtualInputOrder {
    let device: VirtualInputDevice
    /// What is played; `nil` when standard input says what to do.
    let playback: VirtualInputPlayback?
    /// From when it is ready to when it begins to play, in nanoseconds.
    let delay: UInt64
    /// How much quicker than recorded, in hundredths.
    let speed: Int
    let rounds: Int
    /// What somebody should know of it before it is there.
    let notes: [String]

    /// Long enough for a rig to have opened the node: udev tells it when we are told. Ours.
    private static let standardDelay: UInt64 = 1_000_000_000

    init(_ arguments: Arguments) throws(CommandLineFailure) {
        delay = arguments.duration("--delay") ?? Self.standardDelay
        speed = arguments.number("--speed") ?? 100
        rounds = arguments.number("--loop") ?? 1
        func wrong(_ text: String) -> CommandLineFailure { .usage(UsageFailure(text, path: arguments.path)) }
        switch (arguments.text("KIND"), arguments.text("--play")) {
        case (let word?, nil):
            for option in ["--recorded", "--delay", "--speed", "--loop"] where arguments.has(option) {
                throw wrong("\(option) is for --play")
            }
            guard let kind = VirtualInputDevice.Kind(rawValue: word) else { throw wrong("\(word) is no kind") }
            device = try Self.device(kind, arguments)
            playback = nil
            notes = []
        case (nil, let path?):
            for option in ["--size", "--resolution", "--slots"] where arguments.has(option) {
                throw wrong("\(option) contradicts --play: the recording says it")
            }
            let recording = try RecordingFile.read(path, recorded: arguments.text("--recorded"))
            device = try Self.device(of: recording, path, arguments)
            let played = VirtualInputPlayback(recording.frames, on: device)
            playback = played
            notes = Self.notes(recording, path, device, played)
        case (nil, nil): throw wrong("create needs KIND, or --play FILE")
        case (_?, _?): throw wrong("KIND contradicts --play: the recording says what the device is")
        }
    }

    private static func device(
        _ kind: VirtualInputDevice.Kind, _ arguments: Arguments
    ) throws(CommandLineFailure) -> VirtualInputDevice {
        var surface = VirtualSurface.standard(kind)
        for option in ["--size", "--resolution", "--slots"] where surface == nil && arguments.has(option) {
            throw .usage(UsageFailure("\(option): a \(kind.rawValue) has no surface", path: arguments.path))
        }
        if let text = arguments.text("--size") {
            do throws(ConfigurationValueError) {
                let size = try ConfigurationValue.size(text)
                surface?.width = Int32(clamping: size.width)
                surface?.height = Int32(clamping: size.height)
            } catch {
                throw .usage(UsageFailure("--size: \(error.text)", path: arguments.path))
            }
        }
        if let number = arguments.number("--resolution") { surface?.resolution = Int32(clamping: number) }
        if let number = arguments.number("--slots") { surface?.slots = number }
        let ids = try ids(arguments)
        do throws(VirtualInputRefusal) {
            return try VirtualInputDevice(
                kind, name: arguments.text("--name"), vendor: ids?.vendor ?? 0, product: ids?.product ?? 0,
                surface: surface)
        } catch {
            throw .usage(UsageFailure(error.text, path: arguments.path))
        }
    }

    private static func device(
        of recording: EvemuRecording, _ path: String, _ arguments: Arguments
    ) throws(CommandLineFailure) -> VirtualInputDevice {
        guard var described = recording.device else {
            throw .file("\(path): it has no description of a device: in evemu's form, a line with I: or B:")
        }
        if let name = arguments.text("--name") { described.name = name }
        if let ids = try ids(arguments) { (described.vendor, described.product) = ids }
        do throws(VirtualInputRefusal) {
            return try VirtualInputDevice(recorded: described)
        } catch {
            throw .file("\(path): \(error.text)")
        }
    }

    private static func ids(
        _ arguments: Arguments
    ) throws(CommandLineFailure) -> (vendor: UInt16, product: UInt16)? {
        guard let text = arguments.text("--id") else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let vendor = try? ConfigurationValue.hexadecimal(String(parts[0]), digits: 4),
            let product = try? ConfigurationValue.hexadecimal(String(parts[1]), digits: 4)
        else {
            throw .usage(
                UsageFailure(
                    "--id: \"\(text)\" is not VENDOR:PRODUCT, two hexadecimal numbers of four digits, as in 077d:0410",
                    path: arguments.path))
        }
        return (vendor, product)
    }

    private static func notes(
        _ recording: EvemuRecording, _ path: String, _ device: VirtualInputDevice, _ playback: VirtualInputPlayback
    ) -> [String] {
        var notes = ["\(path): \(device.description.name), \(counted(playback.reports.count, "report"))"]
        if !device.withheld.isEmpty {
            let names = device.withheld.compactMap(WithheldKey.name).joined(separator: ", ")
            let presses = playback.withheldPresses
            let told = presses == 0 ? "" : "; they were pressed \(counted(presses, "time")), which is left out"
            notes.append("made without keys that the machine itself would act on: \(names)\(told)")
        }
        if device.typesOnConsole {
            notes.append("it has keys of a keyboard: the kernel's text console hears them too, unless the rig grabs it")
        }
        if device.isNameCut { notes.append("its name is cut to \(VirtualInputDevice.maximumName) bytes") }
        if recording.losses > 0 {
            notes.append("events were lost \(counted(recording.losses, "time")) while it was recorded")
        }
        return notes
    }
}
