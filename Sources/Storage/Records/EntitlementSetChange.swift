// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A set that is given to many people, or taken from those of them who have it.
package struct EntitlementSetChange: Sendable, Equatable {
    package var set: String
    /// Whether it is given, in the place of any other set or sequence; otherwise it is taken.
    package var isGiven: Bool

    package init(set: String, isGiven: Bool) {
        self.set = set
        self.isGiven = isGiven
    }

    /// Somebody, with the event to be written when it changes something for them.
    package struct Subject: Sendable, Equatable {
        package var person: Identifier<Person>
        package var event: AuditEvent

        package init(person: Identifier<Person>, event: AuditEvent) {
            self.person = person
            self.event = event
        }
    }
}
