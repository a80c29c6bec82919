// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A record type of a project that is searched by the prefix of one of its names.
package protocol PrefixSearchable: Sendable {
    /// The searchable names; the raw values are column names.
    associatedtype SearchName: RawRepresentable<String>, CaseIterable, Sendable, Equatable

    var id: Identifier<Self> { get }
    /// Returns the name; empty if it has none.
    func text(of name: SearchName) -> String
}

extension PrefixSearchable {
    /// Returns the text with ASCII lower-cased, as both engines compare it.
    package static func folded(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    ("A"..."Z").contains(scalar)
                        ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
                }))
    }
}

/// A search cursor: the position of a record of a project in the order of one of its names.
package struct SearchCursor<Record: PrefixSearchable>: Sendable, Equatable {
    package var by: Record.SearchName
    /// The name in lower case, as ``PrefixSearchable/folded(_:)`` returns it.
    package var text: String
    package var id: Identifier<Record>

    package init(_ thing: Record, by name: Record.SearchName) {
        by = name
        text = Record.folded(thing.text(of: name))
        id = thing.id
    }

    /// Parses a value of ``key``; `nil` for anything else.
    package init?(_ key: String) {
        let parts = key.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let name = Record.SearchName(rawValue: String(parts[0])),
            let id = Identifier<Record>(String(parts[1]))
        else { return nil }
        by = name
        self.id = id
        text = String(parts[2])
    }

    package var key: String { "\(by.rawValue) \(id) \(text)" }
}
