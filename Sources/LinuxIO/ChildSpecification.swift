/// Where one of a child's output streams goes.
public enum ChildOutput: Equatable, Sendable {
    /// Into `ChildProcess.output` or `.errorOutput`.
    case capture
    /// Where ours goes.
    case inherit
    /// Nowhere.
    case discard
}

/// What to run, and how.
public struct ChildSpecification: Sendable {
    /// A descriptor of ours that the child gets under a number of its own.
    public struct PassedDescriptor: Equatable, Sendable {
        /// Our number.
        public let parent: Int32
        /// The child's number, 3 or above.
        public let child: Int32

        /// Passes `parent` as `child`.
        public init(parent: Int32, child: Int32) {
            precondition(child > 2, "0 to 2 are the standard streams")
            self.parent = parent
            self.child = child
        }
    }

    /// A path, or a name that is looked for in our own PATH.
    public var program: String
    /// Without the program's own name.
    public var arguments: [String]
    /// The child's whole environment.
    public var environment: Environment
    /// The folder to start in; ours when nil.
    public var folder: String?
    /// Where standard output goes.
    public var output: ChildOutput
    /// Where standard error goes.
    public var errorOutput: ChildOutput
    /// Whether standard input is a pipe that `ChildProcess.writeInput` feeds; otherwise it is empty.
    public var takesInput: Bool
    /// Further descriptors, as for socket activation.
    public var descriptors: [PassedDescriptor]
    /// Whether the child leads a process group of its own, so that a signal reaches its children too.
    public var leadsGroup: Bool
    /// Captured output beyond so many bytes per stream is dropped and told by `ChildProcess.wasCut`.
    public var captureLimit: Int

    /// A program with its output captured and an empty input.
    public init(
        _ program: String, _ arguments: [String] = [], environment: Environment = .current(), folder: String? = nil,
        output: ChildOutput = .capture, errorOutput: ChildOutput = .capture, takesInput: Bool = false,
        descriptors: [PassedDescriptor] = [], leadsGroup: Bool = false, captureLimit: Int = 4 * 1024 * 1024
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.output = output
        self.errorOutput = errorOutput
        self.takesInput = takesInput
        self.descriptors = descriptors
        self.leadsGroup = leadsGroup
        self.captureLimit = captureLimit
    }
}

/// How a child ended.
public enum ChildExit: Equatable, Sendable {
    /// With this exit status, 0 to 255.
    case exited(Int32)
    /// By this signal.
    case signaled(Int32)
}
