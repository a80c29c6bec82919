// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Entitlements under one name that are assigned to people.
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

/// The stored entitlements of a person: a set, a sequence or neither, and individual entitlements.
package struct GivenEntitlements: Sendable, Equatable {
    /// The names; at most one is not empty.
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

/// The effective entitlements of a person at a moment: a set and individual entitlements.
package struct PersonalEntitlements: Sendable, Equatable {
    /// The name of the current set; empty for none.
    package var set: String
    /// The entitlements of the set, JSON; `nil` if there is none, or the set was deleted.
    package var ofSet: String?
    /// Individual entitlements, JSON: they take precedence over those of the set.
    package var explicit: String
    /// The position in the sequence that selected the set; `nil` without a sequence.
    package var place: SequencePosition?

    package init(set: String, ofSet: String?, explicit: String, place: SequencePosition? = nil) {
        self.set = set
        self.ofSet = ofSet
        self.explicit = explicit
        self.place = place
    }

    /// The stored form: for a sequence, the sequence and not the selected set.
    package var given: GivenEntitlements {
        GivenEntitlements(
            set: place == nil ? set : "", sequence: place?.sequence ?? "", explicit: explicit)
    }
}
