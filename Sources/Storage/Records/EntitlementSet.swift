// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Entitlements under one name, to be given to people.
package struct EntitlementSet: Sendable, Equatable {
    package var project: Identifier<Project>
    /// Unique in the project.
    package var name: String
    /// A JSON object of names and values.
    package var entitlements: String
    package var createdAt: Timestamp

    package init(
        project: Identifier<Project>, name: String, entitlements: String, createdAt: Timestamp
    ) {
        self.project = project
        self.name = name
        self.entitlements = entitlements
        self.createdAt = createdAt
    }
}

/// What is stored of a person's entitlements: a set or a sequence, or neither, and what is theirs alone.
package struct GivenEntitlements: Sendable, Equatable {
    /// Names; at most one is not empty.
    package var set: String
    package var sequence: String
    /// JSON.
    package var explicit: String

    package init(set: String = "", sequence: String = "", explicit: String) {
        self.set = set
        self.sequence = sequence
        self.explicit = explicit
    }
}

/// What one person has at a moment: a set, and what is theirs alone.
package struct PersonalEntitlements: Sendable, Equatable {
    /// The name of the set that they have now; empty for none.
    package var set: String
    /// The set's own entitlements, JSON; `nil` when there is none, or no such set any more.
    package var ofSet: String?
    /// Theirs alone, JSON: these count where the set has the same.
    package var explicit: String
    /// Where they are in their sequence, which has chosen the set; `nil` without one.
    package var place: SequencePosition?

    package init(set: String, ofSet: String?, explicit: String, place: SequencePosition? = nil) {
        self.set = set
        self.ofSet = ofSet
        self.explicit = explicit
        self.place = place
    }

    /// Where this comes from: of a sequence, not the set that it has led to.
    package var given: GivenEntitlements {
        GivenEntitlements(
            set: place == nil ? set : "", sequence: place?.sequence ?? "", explicit: explicit)
    }
}
