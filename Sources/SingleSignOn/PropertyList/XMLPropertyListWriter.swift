// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A writer of property lists in XML in the form of Apple's tools: tabs, one value a line. The same
/// value results in the same bytes.
package enum XMLPropertyListWriter {
    package static func bytes(of value: PropertyList) throws(PropertyListError) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        try write(value, indent: "", to: &text)
        text += "</plist>\n"
        return Array(text.utf8)
    }

    private static func write(
        _ value: PropertyList, indent: String, to text: inout String
    ) throws(PropertyListError) {
        switch value {
        case .string(let string): text += "\(indent)<string>\(try escaped(string))</string>\n"
        case .integer(let number): text += "\(indent)<integer>\(number)</integer>\n"
        case .real(let number):
            guard number.isFinite else { throw unwritable("a number without a value") }
            text += "\(indent)<real>\(number)</real>\n"
        case .boolean(let truth): text += "\(indent)<\(truth ? "true" : "false")/>\n"
        case .date(let date): text += "\(indent)<date>\(try spelled(date))</date>\n"
        case .data(let data):
            text += "\(indent)<data>\n\(wrapped(data, indent))\(indent)</data>\n"
        case .array(let values) where values.isEmpty: text += "\(indent)<array/>\n"
        case .array(let values):
            text += "\(indent)<array>\n"
            for value in values { try write(value, indent: indent + "\t", to: &text) }
            text += "\(indent)</array>\n"
        case .dictionary(let entries) where entries.isEmpty: text += "\(indent)<dict/>\n"
        case .dictionary(let entries):
            text += "\(indent)<dict>\n"
            for entry in entries {
                text += "\(indent)\t<key>\(try escaped(entry.name))</key>\n"
                try write(entry.value, indent: indent + "\t", to: &text)
            }
            text += "\(indent)</dict>\n"
        }
    }

    private static func escaped(_ string: String) throws(PropertyListError) -> String {
        var text = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            // XML readers convert an unescaped carriage return to a line feed.
            case "\r": text += "&#13;"
            case "\t", "\n": text.unicodeScalars.append(scalar)
            default:
                guard scalar.value >= 0x20, scalar.value & ~1 != 0xFFFE else {
                    throw unwritable("a control character in a string")
                }
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Whole seconds in the years 0 to 9999.
    private static func spelled(_ date: Timestamp) throws(PropertyListError) -> String {
        guard (-62_167_219_200...253_402_300_799).contains(date.seconds) else {
            throw unwritable("a date beyond four digits of a year")
        }
        return "\(date.rfc3339.prefix(19))Z"
    }

    /// Returns Base64 in lines of 68 characters.
    private static func wrapped(_ data: [UInt8], _ indent: String) -> String {
        var letters = Base64.encode(data)[...]
        var text = ""
        while !letters.isEmpty {
            text += "\(indent)\(letters.prefix(68))\n"
            letters = letters.dropFirst(68)
        }
        return text
    }

    private static func unwritable(_ what: String) -> PropertyListError {
        PropertyListError(.unwritable, at: 0, "\(what) cannot be written in XML")
    }
}
