import HIDReports

/// Any bytes as a HID report descriptor: what is read keeps the limits and is the same when it is written and read again,
/// and what is refused has a place.
enum HIDDescriptorsTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let descriptor: HIDDescriptor
        do throws(HIDDescriptorError) {
            descriptor = try HIDDescriptor.parse(bytes)
        } catch {
            try require((0...bytes.count).contains(error.offset), "\(error) in \(bytes.count) bytes")
            return try require(error.description.count > 10, "an error without text")
        }
        try check(descriptor)
        let again: HIDDescriptor
        do throws(HIDDescriptorError) {
            again = try HIDDescriptor.parse(descriptor.encoded())
        } catch {
            // What was left out or held on is written out, which may take more room than there is.
            guard case .tooLong = error.kind else { throw FuzzFinding("written again it is refused: \(error)") }
            return
        }
        try require(again == descriptor, "written and read again it is another layout")
    }

    private static func check(_ descriptor: HIDDescriptor) throws(FuzzFinding) {
        try require(descriptor.fields.count <= HIDDescriptor.maximumFields, "\(descriptor.fields.count) fields")
        try require(descriptor.remarks.count <= HIDDescriptor.maximumRemarks, "too many remarks")
        for report in descriptor.reports {
            try require(report.byteCount <= HIDDescriptor.maximumReportBytes, "\(report.byteCount) bytes of report")
            try require((report.id != nil) == descriptor.numbersReports, "some reports are numbered")
            var end = report.id == nil ? 0 : 8
            for field in descriptor.fields(of: report) {
                try require(field.bitOffset == end && field.bitSize > 0 && field.count > 0, "fields leave a hole")
                end += field.bitSize * field.count
                let report = [UInt8](repeating: 0xFF, count: report.byteCount)
                for element in [0, field.count - 1] {
                    try require(
                        (field.value(element, in: report) != nil) == (field.bitSize <= HIDField.maximumValueBits),
                        "an element without a value")
                }
                if !field.flags.contains(.constant) {
                    try require(field.logicalMinimum <= field.logicalMaximum, "an empty range")
                }
            }
            try require(end == report.bitCount, "\(end) bits of fields in \(report.bitCount) bits")
        }
        for (index, collection) in descriptor.collections.enumerated() {
            try require(collection.parent ?? -1 < index, "a collection stands before its parent")
            let around = collection.parent.map { descriptor.collections[$0].fields } ?? descriptor.fields.indices
            try require(
                around.lowerBound <= collection.fields.lowerBound && collection.fields.upperBound <= around.upperBound,
                "a collection reaches out of its parent")
        }
        _ = descriptor.function
    }
}
