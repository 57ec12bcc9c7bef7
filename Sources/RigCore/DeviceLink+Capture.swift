import RigModel

/// Bytes that passed over a link.
struct CapturedPiece: Sendable {
    let direction: CaptureDirection
    let bytes: [UInt8]
}

/// Keeping what passes.
extension DeviceLink {
    /// Begins or ends keeping what passes.
    mutating func setCaptured(_ isCaptured: Bool) {
        self.isCaptured = isCaptured
        if !isCaptured { captured = [] }
    }

    /// What has passed since it was last asked, oldest first. To be asked after each turn: nothing bounds it before.
    mutating func takeCaptured() -> [CapturedPiece] {
        defer { captured = [] }
        return captured
    }

    mutating func capture(_ direction: CaptureDirection, _ pieces: [ArraySlice<UInt8>]) {
        guard isCaptured else { return }
        for piece in pieces { captured.append(CapturedPiece(direction: direction, bytes: Array(piece))) }
    }
}
