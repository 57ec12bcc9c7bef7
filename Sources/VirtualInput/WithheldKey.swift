/// The keys that no virtual device has, whatever it is made from: the machine itself would act on them.
///
/// logind switches the machine off or sends it to sleep by keys of any device with the right tag, the kernel by
/// KEY_SUSPEND where APM is built in; rfkill takes radios away; and the text console and SysRq, which hear every
/// keyboard, restart, switch and dump by keys that are held with Ctrl or Alt.
public enum WithheldKey {
    /// Names and codes (linux/input-event-codes.h), ascending by code.
    public static let table: [(name: String, code: UInt16)] = [
        ("KEY_LEFTCTRL", 29), ("KEY_LEFTALT", 56), ("KEY_RIGHTCTRL", 97), ("KEY_SYSRQ", 99), ("KEY_RIGHTALT", 100),
        ("KEY_POWER", 116), ("KEY_SLEEP", 142), ("KEY_WAKEUP", 143), ("KEY_SUSPEND", 205), ("KEY_BLUETOOTH", 237),
        ("KEY_WLAN", 238), ("KEY_UWB", 239), ("KEY_WWAN", 246), ("KEY_RFKILL", 247), ("KEY_POWER2", 0x164),
        ("KEY_RESTART", 0x198),
    ]

    /// The name of a withheld key; `nil` for all others.
    public static func name(of code: UInt16) -> String? { table.first { $0.code == code }?.name }
}
