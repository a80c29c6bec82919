// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The name and member count of a group. A group without members does not exist.
package struct GroupSummary: Sendable, Equatable {
    package var name: String
    /// The number of members that were counted. Counting ends at a bound, because a group can have
    /// all people of a project.
    package var members: Int
    /// Whether the group has more members than were counted.
    package var hasMore: Bool

    /// The bound for administrators.
    package static let maximumCount = 1000

    package init(name: String, members: Int, hasMore: Bool = false) {
        self.name = name
        self.members = members
        self.hasMore = hasMore
    }
}

/// The position of a person among the members of a group, in order of the username's prefix.
package struct GroupMemberCursor: Sendable, Equatable {
    /// The first characters of the ``Person/qualifiedName``.
    package var name: String
    package var person: Identifier<Person>

    /// The number of characters that determine the order, limited by the index.
    private static let sortedLength = 64

    package init(_ person: Person) {
        name = Self.sorted(person.qualifiedName)
        self.person = person.id
    }

    /// Returns the part of a name that determines the order.
    package static func sorted(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(sortedLength)))
    }

    /// Parses a value of ``text``; `nil` for anything else.
    package init?(_ text: String) {
        guard let mark = text.firstIndex(of: " "),
            let id = Identifier<Person>(String(text[..<mark]))
        else { return nil }
        name = String(text[text.index(after: mark)...])
        person = id
    }

    package var text: String { "\(person) \(name)" }
}

/// The addition of a person to a group, or the removal from it.
package struct GroupMembershipChange: Sendable, Equatable {
    package var group: String
    package var person: Identifier<Person>
    package var project: Identifier<Project>
    package var joins: Bool
    package var at: Timestamp

    /// The maximum number of groups of one person.
    package static let maximumGroups = 200
    /// The maximum length in characters of a group name whose members can be listed.
    package static let maximumNameLength = 255

    package init(
        group: String, person: Identifier<Person>, project: Identifier<Project>, joins: Bool,
        at: Timestamp
    ) {
        self.group = group
        self.person = person
        self.project = project
        self.joins = joins
        self.at = at
    }

    /// Whether a group of that name can be listed. People can have groups with other names, and
    /// apps receive them.
    package static func isListed(_ name: String) -> Bool {
        (1...maximumNameLength).contains(name.unicodeScalars.count)
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

package enum GroupMembershipOutcome: Sendable, Equatable {
    case changed
    /// The membership existed already, or did not exist.
    case unchanged
    /// The person has the maximum number of groups.
    case full
    /// The project has no such person.
    case unknown
}
