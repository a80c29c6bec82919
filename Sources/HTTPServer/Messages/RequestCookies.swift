// SPDX-License-Identifier: Apache-2.0

/// The cookies of a request, RFC 6265 section 4.2, parsed strictly.
///
/// A name that occurs twice has no value: a cookie set by a neighbour host cannot shadow ours.
package struct RequestCookies: Sendable {
    private var values: [String: String?] = [:]

    /// - Parameter headers: the values of all `Cookie` fields (HTTP/2 may split them).
    package init(_ headers: [String]) {
        for header in headers {
            for pair in header.split(separator: ";", omittingEmptySubsequences: true).prefix(64) {
                add(pair)
            }
        }
    }

    package subscript(_ name: String) -> String? { values[name] ?? nil }

    private mutating func add(_ pair: Substring) {
        guard let equals = pair.firstIndex(of: "=") else { return }
        let name = String(pair[..<equals]).trimmed()
        let value = String(pair[pair.index(after: equals)...]).trimmed()
        guard !name.isEmpty, value.utf8.count <= 4096, value.utf8.allSatisfy(Self.isAllowed) else {
            return
        }
        values[name] = values.keys.contains(name) ? .some(nil) : value
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",")
            && byte != UInt8(ascii: "\\")
    }
}
