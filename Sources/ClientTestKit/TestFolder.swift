import Foundation
import Glibc

/// A folder of a test, removed with this object. Short, because a socket's path is.
public final class TestFolder {
    /// Absolute, without a slash at its end.
    public let path: String

    /// Makes the folder; throws when `/tmp` does not let it.
    public init() throws {
        var template = Array("/tmp/rigXXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
