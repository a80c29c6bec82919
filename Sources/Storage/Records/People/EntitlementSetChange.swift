// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The assignment of a set to many people, or its removal from those who have it.
package struct EntitlementSetChange: Sendable, Equatable {
    package var set: String
    /// Whether the set is assigned, which replaces any other set or sequence; otherwise it is
    /// removed.
    package var isGiven: Bool

    package init(set: String, isGiven: Bool) {
        self.set = set
        self.isGiven = isGiven
    }

    /// A person with the audit event to write if the change affects the person.
    package struct Subject: Sendable, Equatable {
        package var person: Identifier<Person>
        package var event: AuditEvent

        package init(person: Identifier<Person>, event: AuditEvent) {
            self.person = person
            self.event = event
        }
    }
}
