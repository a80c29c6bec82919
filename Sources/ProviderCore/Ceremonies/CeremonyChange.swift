// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// The change that a ceremony has written.
package protocol CeremonyChange: Sendable {
    var event: CeremonyEvent { get }
    /// The notification to send, or `nil`.
    var notification: CeremonyNotification? { get }
}

extension CeremonyChange {
    package var notification: CeremonyNotification? { nil }
}

/// The audit event of an accepted ceremony. The runner adds action, project and sender.
package struct CeremonyEvent: Sendable {
    package var person: Identifier<Person>?
    /// The client, if it is not the sender.
    package var clientID: String?
    package var recording: EventRecording
    /// A JSON object that replaces the details of the sender.
    package var details: String?

    package init(
        person: Identifier<Person>?, clientID: String? = nil, recording: EventRecording = .due,
        details: String? = nil
    ) {
        self.person = person
        self.clientID = clientID
        self.recording = recording
        self.details = details
    }
}

/// How the audit event of a ceremony is written.
package enum EventRecording: Sendable {
    /// The runner writes it.
    case due
    /// The runner writes the first of a minute and aggregates the others.
    case firstOfMinute
    /// The runner aggregates it with the others of the minute.
    case counted
    /// It was written in the transaction of the change.
    case done
    /// There is none: the request repeats an earlier ceremony, or has no result yet.
    case omitted
}

/// A notification with its recipient.
package typealias CeremonyNotification = (kind: AccountNotification.Kind, person: Person)

/// A refusal, with the person that it concerns if known. The person is only for the audit log.
package struct CeremonyRefusal: Error, Sendable {
    package var refusal: Refusal
    package var person: Identifier<Person>?
    /// The client that it concerns, only for the audit log.
    var clientID: String?
    package var recording: EventRecording
    /// Whether the sender is unauthenticated. The audit log aggregates refusals of unauthenticated
    /// senders, because their number is unbounded.
    package var isStranger: Bool {
        get { recording == .counted }
        set { recording = newValue ? .counted : .due }
    }

    package init(
        _ refusal: Refusal, person: Identifier<Person>? = nil, clientID: String? = nil,
        isStranger: Bool = false, recording: EventRecording? = nil
    ) {
        self.refusal = refusal
        self.person = person
        self.clientID = clientID
        self.recording = recording ?? (isStranger ? .counted : .due)
    }
}
