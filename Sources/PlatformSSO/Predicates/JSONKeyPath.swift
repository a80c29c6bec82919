// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A key path into a JSON object: names between dots, at most 16.
package struct JSONKeyPath: Sendable, Hashable {
    package let names: [String]

    /// Returns `nil` if a name is empty or there are too many.
    package init?(_ text: String) {
        let names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard text.utf8.count <= 1024, names.count <= 16, !names.contains("") else { return nil }
        self.names = names
    }

    /// Returns the value at the path; `nil` if there is none. For an array it is the array of the
    /// values of each element, as in key-value coding.
    package func value(in root: JSONValue) -> JSONValue? {
        Self.value(at: names[...], in: root)
    }

    private static func value(at names: ArraySlice<String>, in root: JSONValue) -> JSONValue? {
        guard let name = names.first else { return root }
        if let elements = root.array {
            return .array(elements.map { value(at: names, in: $0) ?? .null })
        }
        return root[name].flatMap { value(at: names.dropFirst(), in: $0) }
    }
}
