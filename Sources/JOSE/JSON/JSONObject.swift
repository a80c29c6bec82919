// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object, in order, each name once.
package struct JSONObject: Sendable, Equatable {
    package struct Member: Sendable, Equatable {
        package let name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var members: [Member]

    /// Later members replace earlier ones of the same name.
    package init(_ members: [Member] = []) {
        self.members = []
        self.members.reserveCapacity(members.count)
        for member in members { self[member.name] = member.value }
    }

    /// For the parser, which has checked that the names are distinct.
    init(distinct members: [Member]) { self.members = members }

    package var isEmpty: Bool { members.isEmpty }
    package var names: [String] { members.map(\.name) }
    package var json: JSONValue { .object(self) }

    /// Reads, replaces in place, appends, or removes with `nil`.
    package subscript(name: String) -> JSONValue? {
        get { index(of: name).map { members[$0].value } }
        set {
            switch (index(of: name), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    private func index(of name: String) -> Int? {
        members.firstIndex { $0.name.hasSameBytes(as: name) }
    }
}

extension String {
    /// Whether the UTF-8 bytes are equal. Swift's `==` also accepts canonically equivalent text
    /// (the Kelvin sign equals `K`), which protocol identifiers must not.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Doubly optional: `nil` when one of them is not in one piece, as a string of Swift's is.
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { left.elementsEqual($0) }
        }
        return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }
}
