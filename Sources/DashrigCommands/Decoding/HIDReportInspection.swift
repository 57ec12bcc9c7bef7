internal import HIDReports

/// What comes of a report descriptor: the reports that it describes, and the values of one of them.
enum HIDReportInspection {
    /// The reports that a descriptor describes, one part each; why there are none when it cannot be read.
    static func describe(_ bytes: [UInt8], _ tell: (DecodedPart) -> Void) {
        let descriptor: HIDDescriptor
        do throws(HIDDescriptorError) {
            descriptor = try HIDDescriptor.parse(bytes)
        } catch {
            // The items show damage of their own; this says what a host makes of the whole.
            tell(DecodedPart("descriptor", at: error.offset, length: 0, problem: "\(error)"))
            return
        }
        for layout in descriptor.reports {
            var part = DecodedPart("report", at: 0, length: layout.byteCount, title: layout.kind.rawValue)
            part.id = layout.id.map(UInt64.init)
            part.note = counted(layout.byteCount, "byte")
            part.parts = descriptor.fields(of: layout).map { field(in: $0, title: true) }
            tell(part)
        }
    }

    /// A descriptor by which a report is to be read.
    static func descriptor(_ bytes: [UInt8]) throws(CommandLineFailure) -> HIDDescriptor {
        do throws(HIDDescriptorError) {
            return try HIDDescriptor.parse(bytes)
        } catch {
            throw .usage(UsageFailure("--descriptor: \(error)", path: ["decode", "hid"]))
        }
    }

    /// An input report with its values.
    static func report(_ bytes: [UInt8], by descriptor: HIDDescriptor) -> DecodedPart {
        var part = DecodedPart("report", at: 0, length: bytes.count, title: HIDReportKind.input.rawValue)
        let layout: HIDReportLayout
        do throws(HIDReportError) {
            layout = try descriptor.inputReport(for: bytes[...])
        } catch {
            part.value = .bytes(bytes)
            part.problem = "no report of this descriptor: \(error)"
            return part
        }
        part.id = layout.id.map(UInt64.init)
        part.parts = descriptor.fields(of: layout).flatMap { values(of: $0, in: bytes) }
        return part
    }

    /// The values of a field's elements, one part each; padding is left out.
    private static func values(of field: HIDField, in bytes: [UInt8]) -> [DecodedPart] {
        guard field.isVariable || field.isArray else { return [] }
        return (0..<field.count).map { element in
            var part = self.field(in: field, title: false)
            let bit = field.bitOffset + element * field.bitSize
            part.offset = bit / 8
            part.length = (bit % 8 + field.bitSize + 7) / 8
            guard let value = field.value(element, in: bytes[...]) else {
                part.note = "\(field.bitSize) bits, not read as a number"
                return part
            }
            part.value = .signed(Int64(value))
            let usage = field.isArray ? field.usage(named: value) : field.usage(ofElement: element)
            part.title = usage.map(\.description) ?? (field.isArray ? "none" : nil)
            part.note = nil
            return part
        }
    }

    private static func field(in field: HIDField, title: Bool) -> DecodedPart {
        var part = DecodedPart("field", at: field.bitOffset / 8, length: (field.bitSize * field.count + 7) / 8)
        let usages = field.usages.map { range in
            range.first == range.last
                ? "\(HIDUsage(range.page, range.first))"
                : "\(HIDUsage(range.page, range.first))-\(HIDUsage(range.page, range.last))"
        }
        if title { part.title = usages.isEmpty ? "padding" : usages.joined(separator: " ") }
        part.note =
            "\(field.count) of \(counted(field.bitSize, "bit")) from bit \(field.bitOffset), "
            + "\(field.logicalMinimum) to \(field.logicalMaximum)\(field.isRelative ? ", relative" : "")"
        return part
    }
}
