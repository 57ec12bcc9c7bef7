/// The names that the tool itself gives to what a command ends with, for machines. `docs/exit-codes.md` lists them; errors of
/// the rig and of the way to it have names of their own.
public enum FailureName: String, CaseIterable, Sendable {
    /// The command line is wrong.
    case usage
    /// A file cannot be read or written.
    case file
    /// The scenario is wrong.
    case scenarioWrong
    /// Standard output cannot be written.
    case output
    /// A signal ended it.
    case interrupted
    /// No active session in time.
    case sessionTimedOut
    /// The handshake failed, for no reason that was given.
    case sessionFailed
    /// The event did not come in time.
    case eventDidNotCome
    /// No device of that name came in time.
    case deviceDidNotCome
    /// Fewer packets came in time than were asked for.
    case countNotReached
    /// An input did not come so far in time.
    case stepNotReached
    /// The rest of a sequence of input was not sent.
    case sequenceEnded
    /// There is no display whose points could be counted.
    case noDisplay
    /// There is no such fault.
    case unknownFault
    /// The rig has no such device.
    case unknownDevice
    /// A device has no evdev node.
    case noNode
    /// A device has several evdev nodes.
    case severalNodes
    /// A node cannot be read.
    case deviceNotReadable
    /// The device that is recorded is gone.
    case deviceGone
    /// A recording is as large as one may be.
    case recordingFull
    /// No rule fits a recorded device.
    case noRule
    /// A rule says that a recorded device is nothing for a rig.
    case deviceIgnored
    /// Nothing of a recording can be played.
    case nothingToPlay
    /// There is no node of uinput.
    case uinputAbsent
    /// There is no driver behind the node of uinput.
    case uinputNotLoaded
    /// This user may not use uinput.
    case uinputNotPermitted
    /// The kernel's uinput is too old.
    case uinputTooOld
    /// The kernel refused something else of uinput.
    case uinputFailed
    /// udev was not done with a node in time.
    case udevLate
    /// Permissions hide whether a node can be used.
    case nodeHidden
    /// A device's files do not answer as they must.
    case nodeUnreadable
    /// A real device, which the rig cannot pull.
    case notVirtual
    /// A command of a switch did not do its work.
    case switchFailed
    /// A line that tells a made device what to do is wrong.
    case badLine

    /// What the program exits with.
    public var exitCode: ExitCode {
        switch self {
        case .usage, .file, .scenarioWrong: .usage
        case .output: .rig
        case .interrupted: .interrupted
        case .sessionTimedOut, .sessionFailed, .eventDidNotCome, .deviceDidNotCome, .countNotReached, .stepNotReached,
            .sequenceEnded, .noDisplay, .unknownFault, .unknownDevice, .noNode, .severalNodes, .deviceNotReadable,
            .deviceGone, .recordingFull, .noRule, .deviceIgnored, .nothingToPlay, .uinputAbsent, .uinputNotLoaded,
            .uinputNotPermitted, .uinputTooOld, .uinputFailed, .udevLate, .nodeHidden,
            .nodeUnreadable, .notVirtual, .switchFailed, .badLine:
            .failed
        }
    }
}
