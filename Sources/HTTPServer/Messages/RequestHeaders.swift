// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import NIOHTTP1

/// The header fields of a request, looked up where the parser left them.
///
/// Most requests have a dozen fields of which two are asked for, so nothing is converted ahead.
/// Fields of one name are one value, joined as RFC 9110 section 5.3 says.
package struct RequestHeaders: Sendable, ExpressibleByDictionaryLiteral {
    private enum Source: Sendable {
        /// Of HTTP/2, and of tests.
        case fields(HTTPFields)
        /// Of HTTP/1.1.
        case lines(HTTPHeaders)
    }

    private let source: Source

    package init(_ fields: HTTPFields) { source = .fields(fields) }

    package init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        var fields = HTTPFields()
        for (name, value) in elements { fields.append(HTTPField(name: name, value: value)) }
        source = .fields(fields)
    }

    init(lines: HTTPHeaders) { source = .lines(lines) }

    /// `nil` when there is no such field.
    package subscript(name: HTTPField.Name) -> String? {
        switch source {
        case .fields(let fields): return fields[name]
        case .lines(let lines):
            // Most fields that are looked up are absent, and this search is the faster one.
            guard lines.contains(name: name.canonicalName) else { return nil }
            let separator = name == .cookie ? "; " : ", "
            var found: String?
            for (other, value) in lines where Self.isSame(other, name.canonicalName) {
                found = found.map { $0 + separator + value.trimmed() } ?? value.trimmed()
            }
            return found
        }
    }

    /// Whether there is a field of that name.
    func contains(_ name: HTTPField.Name) -> Bool {
        switch source {
        case .fields(let fields): fields.contains(name)
        case .lines(let lines): lines.contains(name: name.canonicalName)
        }
    }

    /// The number of lines with the name `canonical`, which is lower case. Allocates nothing.
    static func count(of canonical: String, in lines: HTTPHeaders) -> Int {
        lines.count { isSame($0.name, canonical) }
    }

    /// Whether the name of a line is `canonical`, which is lower case.
    private static func isSame(_ name: String, _ canonical: String) -> Bool {
        guard name.utf8.count == canonical.utf8.count else { return false }
        return zip(name.utf8, canonical.utf8).allSatisfy { letter, lower in
            letter == lower || (letter | 0x20 == lower && (0x41...0x5A).contains(letter))
        }
    }

    /// Every value of that name, in order.
    package subscript(values name: HTTPField.Name) -> [String] {
        switch source {
        case .fields(let fields): fields[values: name]
        case .lines(let lines): lines[name.canonicalName].map { $0.trimmed() }
        }
    }
}
