import CLinux
import Glibc
import LinuxIO
import ServiceManager
import Testing

@Suite struct JournalTests {
    private static let record = LogRecord(
        .warning, "usb.claim.refused", "interface 2 is taken",
        [LogField("device", "phone1"), LogField("if-number", "2")])

    @Test func aRecordIsOneDatagramOfFields() throws {
        let folder = try TemporaryFolder()
        let receiver = try DatagramReceiver(folder.file("journal"))
        let journal = try Journal(.journal(.path(receiver.path)), identifier: "dashrigd")
        journal.log(Self.record)
        #expect(
            receiver.nextText() == """
                MESSAGE=interface 2 is taken
                PRIORITY=4
                SYSLOG_IDENTIFIER=dashrigd
                DASHRIG_RECORD=usb.claim.refused
                DASHRIG_DEVICE=phone1
                DASHRIG_IF_NUMBER=2

                """)
        #expect(receiver.next() == nil)
    }

    @Test func aTextWithLineFeedsTravelsWithItsLength() throws {
        let folder = try TemporaryFolder()
        let receiver = try DatagramReceiver(folder.file("journal"))
        let journal = try Journal(.journal(.path(receiver.path)), identifier: "d")
        journal.log(LogRecord(.error, "x", "a\nPRIORITY=0\n", [LogField("k", "ü\n")]))
        var expected = Array("MESSAGE\n".utf8) + [13, 0, 0, 0, 0, 0, 0, 0] + Array("a\nPRIORITY=0\n\n".utf8)
        expected += Array("PRIORITY=3\nSYSLOG_IDENTIFIER=d\nDASHRIG_RECORD=x\nDASHRIG_K\n".utf8)
        expected += [3, 0, 0, 0, 0, 0, 0, 0] + Array("ü\n\n".utf8)
        #expect(receiver.next() == expected)
    }

    @Test func aRecordTooLongForADatagramTravelsAsASealedFile() throws {
        let folder = try TemporaryFolder()
        let receiver = try DatagramReceiver(folder.file("journal"))
        let journal = try Journal(.journal(.path(receiver.path)), identifier: "d")
        let text = String(repeating: "0123456789", count: 100_000)
        journal.log(LogRecord(.info, "x", text))
        let message = try #require(receiver.nextWithDescriptor())
        #expect(message.bytes.isEmpty)
        let file = OwnedDescriptor(adopting: message.descriptor)
        var content = [UInt8](repeating: 0, count: 1_100_000)
        let count = pread(file.rawValue, &content, content.count, 0)
        #expect(
            String(decoding: content.prefix(count), as: UTF8.self)
                == "MESSAGE=\(text)\nPRIORITY=6\nSYSLOG_IDENTIFIER=d\nDASHRIG_RECORD=x\n")
        // F_GET_SEALS: sealed against shrinking, growing, writing, and further sealing.
        #expect(fcntl(file.rawValue, 1034) == 0xF)
        #expect(journal.droppedRecords == 0)
    }

    @Test func theThresholdHoldsAndWhatIsLeftOutIsNotMade() throws {
        let folder = try TemporaryFolder()
        let receiver = try DatagramReceiver(folder.file("journal"))
        let journal = try Journal(.journal(.path(receiver.path)), identifier: "d", threshold: .notice)
        for level in LogLevel.allCases { journal.log(LogRecord(level, level.name, "")) }
        var levels: [String] = []
        while let text = receiver.nextText() {
            levels += text.split(separator: "\n").filter { $0.hasPrefix("DASHRIG_RECORD=") }.map {
                String($0.dropFirst(15))
            }
        }
        #expect(levels == ["critical", "error", "warning", "notice"])
        journal.log(
            .info, "x",
            {
                Issue.record("made for nothing"); return ""
            }())
        #expect(!journal.isEnabled(.info))
        journal.threshold = .debug
        journal.log(.debug, "x", "now")
        #expect(receiver.nextText()?.hasPrefix("MESSAGE=now\nPRIORITY=7\n") == true)
    }

    @Test func aFullJournalDropsCountsAndTells() throws {
        let folder = try TemporaryFolder()
        let receiver = try DatagramReceiver(folder.file("journal"))
        let journal = try Journal(.journal(.path(receiver.path)), identifier: "d")
        var sent = 0
        while journal.droppedRecords == 0 && sent < 100_000 {
            journal.log(Self.record)
            sent += 1
        }
        for _ in 0..<4 { journal.log(Self.record) }
        #expect(journal.droppedRecords == 5)
        for _ in 1..<sent {
            let text = try #require(receiver.nextText())
            #expect(!text.contains("DASHRIG_DROPPED"))
        }
        #expect(receiver.next() == nil)
        journal.log(Self.record)
        #expect(receiver.nextText()?.hasSuffix("DASHRIG_DROPPED=5\n") == true)
        journal.log(Self.record)
        #expect(receiver.nextText()?.contains("DASHRIG_DROPPED") == false)
        #expect(journal.droppedRecords == 5)
    }

    @Test func withoutAJournalTheRecordGoesToStandardError() throws {
        let folder = try TemporaryFolder()
        let pipe = try PipeNumbers()
        let journal = try Journal(.journal(.path(folder.file("none"))), identifier: "d", standardError: pipe.writer)
        journal.log(Self.record)
        #expect(
            pipe.text() == "<4>warning usb.claim.refused: interface 2 is taken device=phone1 if-number=2\n")
        #expect(journal.droppedRecords == 0)
    }

    @Test func theDestinationSuitsTheProcess() throws {
        let folder = try TemporaryFolder()
        let pipe = try PipeNumbers()
        let facts = try FileFacts(of: pipe.writer)
        let receiver = try DatagramReceiver(folder.file("journal"))
        func destination(_ stream: String?, _ socket: String) -> Journal.Destination {
            var environment = Environment()
            environment["JOURNAL_STREAM"] = stream
            return Journal.suitableDestination(
                environment: environment, standardError: pipe.writer, socketPath: socket)
        }
        let ours = "\(facts.device):\(facts.inode)"
        #expect(destination(ours, receiver.path) == .journal(.path(receiver.path)))
        #expect(destination(ours, folder.file("none")) == .standardError(prefixed: true))
        #expect(destination(ours, folder.path) == .standardError(prefixed: true))
        #expect(destination(nil, receiver.path) == .standardError(prefixed: false))
        for other in ["\(facts.device):\(facts.inode + 1)", "\(facts.device)", "", "x:y"] {
            #expect(destination(other, receiver.path) == .standardError(prefixed: false), "JOURNAL_STREAM=\(other)")
        }
        #expect(
            Journal.suitableDestination(environment: Environment(["JOURNAL_STREAM": ours]), standardError: 9999)
                == .standardError(prefixed: false))
    }

    @Test func levelsHaveNames() {
        for level in LogLevel.allCases { #expect(LogLevel(named: level.name) == level) }
        #expect(LogLevel(named: "Warning") == nil)
    }
}

@Suite struct LogLineTests {
    private func line(_ record: LogRecord, prefixed: Bool = false) throws -> String {
        let pipe = try PipeNumbers()
        let journal = try Journal(
            .standardError(prefixed: prefixed), identifier: "d", threshold: .debug, standardError: pipe.writer)
        journal.log(record)
        #expect(journal.droppedRecords == 0)
        return pipe.text()
    }

    @Test func aLineNamesLevelRecordTextAndFields() throws {
        let record = LogRecord(.info, "link.up", "link is up", [LogField("device", "a b"), LogField("note", "")])
        #expect(try line(record) == "info link.up: link is up device=\"a b\" note=\"\"\n")
        #expect(try line(record, prefixed: true) == "<6>info link.up: link is up device=\"a b\" note=\"\"\n")
    }

    @Test func nothingFromOutsideCanPoseAsALineOfItsOwn() throws {
        let record = LogRecord(
            .error, "x", "one\n<0>two\r\u{1B}[2J\u{9B}\0é\\", [LogField("k", "\"\t=\u{7F}"), LogField("l", "a\\b")])
        #expect(
            try line(record)
                == "error x: one\\n<0>two\\x0d\\x1b[2J\\x9b\\x00é\\\\ k=\"\\\"\\t=\\x7f\" l=a\\\\b\n")
    }

    @Test func aLineIsNeverLongerThanAPipeTakesAtOnce() throws {
        for length in 4070...4100 {
            let text = try line(LogRecord(.info, "x", String(repeating: "é", count: length / 2) + "ab"))
            #expect(text.utf8.count <= 4096)
            #expect(text.hasSuffix("ab\n") || text.hasSuffix("é…\n") || text.hasSuffix("a…\n"), "length \(length)")
            #expect(!text.contains("\u{FFFD}"))
            if text.utf8.count < 4096 - 4 { #expect(text.hasSuffix("ab\n")) }
        }
    }

    @Test func aFullPipeNeverBlocksAndItsFlagsStayAsTheyWere() throws {
        // Blocking, as an inherited standard error is.
        let pipe = try PipeNumbers(nonBlocking: false)
        let journal = try Journal(.standardError(prefixed: false), identifier: "d", standardError: pipe.writer)
        var sent = 0
        while journal.droppedRecords == 0 && sent < 100_000 {
            journal.log(.info, "x", "filling the pipe")
            sent += 1
        }
        #expect(journal.droppedRecords == 1)
        #expect(fcntl(pipe.writer, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test func aFileOrSocketTakesLinesToo() throws {
        let folder = try TemporaryFolder()
        let file = OwnedDescriptor(adopting: open(folder.file("log"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        let toFile = try Journal(.standardError(prefixed: false), identifier: "d", standardError: file.rawValue)
        write(file.rawValue, "before\n", 7)
        toFile.log(.info, "x", "one")
        write(file.rawValue, "after\n", 6)
        let text = String(decoding: try FileContents.read(folder.file("log"), limit: 100), as: UTF8.self)
        #expect(text == "before\ninfo x: one\nafter\n")

        let pair = try ConnectionPair()
        #expect(fcntl(pair.near.rawValue, F_SETFL, 0) == 0)
        let toSocket = try Journal(.standardError(prefixed: false), identifier: "d", standardError: pair.near.rawValue)
        toSocket.log(.info, "x", "one")
        #expect(pair.far.receiveAll() == Array("info x: one\n".utf8))
        while toSocket.droppedRecords == 0 { toSocket.log(.info, "x", String(repeating: "x", count: 3000)) }
    }

    @Test func aClosedStreamDrops() throws {
        let journal = try Journal(.standardError(prefixed: false), identifier: "d", standardError: 9999)
        journal.log(.error, "x", "lost")
        #expect(journal.droppedRecords == 1)
    }
}

extension PipeNumbers {
    /// Everything that was written so far.
    func text() -> String {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = read(reader, &buffer, buffer.count), count > 0 { all += buffer.prefix(count) }
        return String(decoding: all, as: UTF8.self)
    }
}
