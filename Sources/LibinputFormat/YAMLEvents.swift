#if HAVE_YAML
    internal import CYAML

    /// One step of a YAML text.
    enum YAMLEvent: Equatable {
        case scalar(String)
        case sequenceStart
        case sequenceEnd
        case mappingStart
        case mappingEnd
        /// The end of the text.
        case end
    }

    /// The steps of a YAML text, one after the other, as libyaml finds them; nothing is kept of what was read. On one
    /// thread.
    final class YAMLEvents {
        /// The line of the last step, from 1.
        private(set) var line = 1

        private let functions: dashrig_yaml
        private let parser: UnsafeMutablePointer<yaml_parser_t>
        private let input: UnsafeMutableBufferPointer<UInt8>
        private var isOver = false

        init(_ bytes: ArraySlice<UInt8>) throws(LibinputProblem) {
            guard let table = dashrig_yaml_load() else {
                let why = dashrig_yaml_failure().map { String(cString: $0) } ?? "it cannot be loaded"
                throw .unavailable("libyaml is needed to read this form: \(why); install libyaml-0-2")
            }
            let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
            guard table.pointee.yaml_parser_initialize(parser) == 1 else {
                parser.deallocate()
                throw .unavailable("libyaml has no memory for a parser; free some and try again")
            }
            functions = table.pointee
            self.parser = parser
            // The parser reads it in place, until it is deleted.
            input = .allocate(capacity: max(1, bytes.count))
            _ = input.initialize(from: bytes)
            functions.yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
        }

        deinit {
            functions.yaml_parser_delete(parser)
            parser.deallocate()
            input.deallocate()
        }

        /// The next step; `end` again and again behind the last.
        func next() throws(LibinputProblem) -> YAMLEvent {
            while !isOver {
                if let event = try step() { return event }
            }
            return .end
        }

        /// One step of the library; nil for those that say nothing here.
        private func step() throws(LibinputProblem) -> YAMLEvent? {
            var event = yaml_event_t()
            guard functions.yaml_parser_parse(parser, &event) == 1 else { throw syntaxProblem }
            defer { functions.yaml_event_delete(&event) }
            line = Int(clamping: event.start_mark.line) + 1
            switch event.type {
            case YAML_SCALAR_EVENT:
                let bytes = UnsafeBufferPointer(start: event.data.scalar.value, count: event.data.scalar.length)
                return .scalar(String(decoding: bytes, as: UTF8.self))
            case YAML_SEQUENCE_START_EVENT: return .sequenceStart
            case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
            case YAML_MAPPING_START_EVENT: return .mappingStart
            case YAML_MAPPING_END_EVENT: return .mappingEnd
            case YAML_STREAM_END_EVENT:
                isOver = true
                return .end
            // What one stands for is nowhere bounded, and the recorder writes none.
            case YAML_ALIAS_EVENT:
                throw .wrong(line: line, found: "an alias", expected: "the value itself: recordings have no aliases")
            default: return nil
            }
        }

        private var syntaxProblem: LibinputProblem {
            isOver = true
            let what = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
            return .wrong(
                line: Int(clamping: parser.pointee.problem_mark.line) + 1, found: what,
                expected: "YAML as libinput record writes it")
        }
    }
#endif
