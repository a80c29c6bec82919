// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What a project has many of, and people look for by how one of its names begins.
package protocol PrefixSearchable: Sendable {
    /// What people look for it by; as the columns are called.
    associatedtype SearchName: RawRepresentable<String>, CaseIterable, Sendable, Equatable

    var id: Identifier<Self> { get }
    /// Empty when it has none.
    func text(of name: SearchName) -> String
}

extension PrefixSearchable {
    /// As either engine folds it: capitals of ASCII alone.
    package static func folded(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    ("A"..."Z").contains(scalar)
                        ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
                }))
    }
}

/// Where something stands among its like of a project, in order of one of its names.
package struct SearchCursor<Thing: PrefixSearchable>: Sendable, Equatable {
    package var by: Thing.SearchName
    /// In small letters, as ``PrefixSearchable/folded(_:)`` makes them.
    package var text: String
    package var id: Identifier<Thing>

    package init(_ thing: Thing, by name: Thing.SearchName) {
        by = name
        text = Thing.folded(thing.text(of: name))
        id = thing.id
    }

    /// What ``key`` made; `nil` for anything else.
    package init?(_ key: String) {
        let parts = key.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let name = Thing.SearchName(rawValue: String(parts[0])),
            let id = Identifier<Thing>(String(parts[1]))
        else { return nil }
        by = name
        self.id = id
        text = String(parts[2])
    }

    package var key: String { "\(by.rawValue) \(id) \(text)" }
}
