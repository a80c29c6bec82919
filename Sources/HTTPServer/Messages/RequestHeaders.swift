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
        case lines(HTTPHeaders, FieldNameFilter)
    }

    private let source: Source

    package init(_ fields: HTTPFields) { source = .fields(fields) }

    package init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        var fields = HTTPFields()
        for (name, value) in elements { fields.append(HTTPField(name: name, value: value)) }
        source = .fields(fields)
    }

    init(lines: HTTPHeaders) {
        var names = FieldNameFilter()
        for line in lines { names.insert(line.name) }
        source = .lines(lines, names)
    }

    /// `nil` when there is no such field.
    package subscript(name: HTTPField.Name) -> String? {
        switch source {
        case .fields(let fields): return fields[name]
        case .lines(let lines, let names):
            guard names.mayContain(name.canonicalName) else { return nil }
            let separator = name == .cookie ? "; " : ", "
            var found: String?
            for (other, value) in lines where Self.isSame(other, name) {
                found = found.map { $0 + separator + value.trimmed() } ?? value.trimmed()
            }
            return found
        }
    }

    /// The number of fields of that name.
    func count(of name: HTTPField.Name) -> Int {
        switch source {
        case .fields(let fields): fields[values: name].count
        case .lines(let lines, let names):
            names.mayContain(name.canonicalName) ? lines.count { Self.isSame($0.name, name) } : 0
        }
    }

    /// Compares without regard to case (RFC 9110 section 5.1). Most clients write a name as its specification does.
    private static func isSame(_ text: String, _ name: HTTPField.Name) -> Bool {
        let canonical = name.canonicalName
        guard text.utf8.count == canonical.utf8.count else { return false }
        return text == name.rawName
            || zip(text.utf8, canonical.utf8).allSatisfy { letter, lower in
                letter == lower || (letter | 0x20 == lower && (0x41...0x5A).contains(letter))
            }
    }

    /// Every value of that name, in order.
    package subscript(values name: HTTPField.Name) -> [String] {
        switch source {
        case .fields(let fields): fields[values: name]
        case .lines(let lines, let names):
            names.mayContain(name.canonicalName)
                ? lines[name.canonicalName].map { $0.trimmed() } : []
        }
    }
}
