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

    /// The value at the path; `nil` when there is none.
    package func value(in root: JSONValue) -> JSONValue? {
        var value = root
        for name in names {
            guard let next = value[name] else { return nil }
            value = next
        }
        return value
    }
}
