// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A name that people of a project have in common, and how many have it. A group that nobody is in
/// is not there.
package struct GroupSummary: Sendable, Equatable {
    package var name: String
    package var members: Int

    package init(name: String, members: Int) {
        self.name = name
        self.members = members
    }
}

/// Where somebody stands among the members of a group: in order of user name, as far as that goes.
package struct GroupMemberCursor: Sendable, Equatable {
    /// How the ``Person/qualifiedName`` begins.
    package var name: String
    package var person: Identifier<Person>

    /// Characters of a name that order goes by: what an index can hold.
    private static let sortedLength = 64

    package init(_ person: Person) {
        name = Self.sorted(person.qualifiedName)
        self.person = person.id
    }

    /// What of a name order goes by.
    package static func sorted(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(sortedLength)))
    }

    /// What ``text`` made; `nil` for anything else.
    package init?(_ text: String) {
        guard let mark = text.firstIndex(of: " "),
            let id = Identifier<Person>(String(text[..<mark]))
        else { return nil }
        name = String(text[text.index(after: mark)...])
        person = id
    }

    package var text: String { "\(person) \(name)" }
}

/// Somebody joins a group, or leaves it.
package struct GroupMembershipChange: Sendable, Equatable {
    package var group: String
    package var person: Identifier<Person>
    package var project: Identifier<Project>
    package var joins: Bool
    package var at: Timestamp

    /// Groups that one person may be in.
    package static let mostGroups = 200
    /// Characters of the longest name of a group by which its members can be listed.
    package static let longestName = 255

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

    /// Whether a group of that name can be listed. Others are people's all the same: apps are told
    /// of them.
    package static func isListed(_ name: String) -> Bool {
        (1...longestName).contains(name.unicodeScalars.count)
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

package enum GroupMembershipOutcome: Sendable, Equatable {
    case changed
    /// They were in it already, or were not.
    case unchanged
    /// They are in as many groups as anybody may be.
    case full
    /// The project has no such person.
    case unknown
}
