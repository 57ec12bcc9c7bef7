internal import CLinux
internal import Glibc
internal import LinuxIO

/// How fast a knob is turned.
public enum TurningPace: Sendable, Equatable {
    /// As fast as the readers keep up, so that nothing is lost; at most five seconds long. Not for a test whose own
    /// thread is the reader's.
    case readers
    /// One detent after so many nanoseconds.
    case interval(UInt64)
    /// All at once: more than 31 detents overflow a ring of 64 places.
    case atOnce
}

extension EvdevMock {
    /// Turns a knob: one frame per detent, positive clockwise.
    public func rotate(_ detents: Int, pace: TurningPace = .readers) {
        let step: Int32 = detents < 0 ? -1 : 1
        let end = SystemClock.monotonicNow() + 5_000_000_000
        for index in 0..<abs(detents) {
            switch pace {
            case .readers:
                while fullestRing * 2 > profile.ringSize && SystemClock.monotonicNow() < end { pause(100_000) }
            case .interval(let time): if index > 0 { pause(time) }
            case .atOnce: break
            }
            turn(step)
        }
    }

    /// Turns a knob by several detents in one frame.
    public func turn(_ detents: Int32) {
        if profile.relative.contains(UInt16(REL_DIAL)) {
            report([(UInt16(EV_REL), UInt16(REL_DIAL), detents)])
        } else if profile.relative.contains(UInt16(REL_WHEEL_HI_RES)) {
            report([
                (UInt16(EV_REL), UInt16(REL_WHEEL), detents),
                (UInt16(EV_REL), UInt16(REL_WHEEL_HI_RES), detents.multipliedReportingOverflow(by: 120).partialValue),
            ])
        } else {
            report([(UInt16(EV_REL), UInt16(REL_WHEEL), detents)])
        }
    }

    /// Pushes the knob, or its first key, down.
    public func press() { setKey(down: true) }

    /// Lets it go.
    public func release() { setKey(down: false) }

    /// Pushes it for so many nanoseconds.
    public func press(for time: UInt64) {
        press()
        pause(time)
        release()
    }

    private func setKey(down: Bool) {
        guard let key = profile.keys.first else { return }
        report([(UInt16(EV_KEY), key, down ? 1 : 0)])
    }

    private func pause(_ time: UInt64) {
        let end = SystemClock.monotonicNow() + time
        while true {
            let now = SystemClock.monotonicNow()
            if now >= end { return }
            var rest = timespec(tv_sec: Int((end - now) / 1_000_000_000), tv_nsec: Int((end - now) % 1_000_000_000))
            nanosleep(&rest, nil)
        }
    }
}
