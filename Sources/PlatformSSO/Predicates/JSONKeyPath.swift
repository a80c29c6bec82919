// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A key path into a JSON object: names between dots, at most 16.
package struct JSONKeyPath: Sendable, Hashable {
    package let names: [String]

    /// `nil` when a name is empty or there are too many.
    package init?(_ text: String) {
        let names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard text.utf8.count <= 1024, names.count <= 16, !names.contains("") else { return nil }
        self.names = names
    }

    /// The value at the path; `nil` when there is none. Of an array it is the array of what each
    /// element has there, as key-value coding has it.
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
