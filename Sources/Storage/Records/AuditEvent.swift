// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// One accepted or refused ceremony. Written once, never changed.
package struct AuditEvent: Sendable, Equatable {
    package enum Outcome: String, Sendable { case accepted, refused }

    package var id: Identifier<AuditEvent>
    package var project: Identifier<Project>
    package var at: Timestamp
    /// A stable name with dots, such as `sign-in.passkey`, `token.refresh`, `credential.removed`.
    package var action: String
    package var outcome: Outcome
    /// The stable code of a refusal.
    package var code: String?
    package var person: Identifier<Person>?
    package var clientID: String?
    package var address: String
    package var requestID: String
    /// Further details as JSON, never with a secret. In an event of a device, `device` is the first
    /// member (``device``).
    package var details: String
    /// How many identical events the row represents (client credentials are aggregated by the
    /// minute).
    package var count: Int64

    package init(
        id: Identifier<AuditEvent>, project: Identifier<Project>, at: Timestamp, action: String,
        outcome: Outcome, code: String? = nil, person: Identifier<Person>? = nil,
        clientID: String? = nil, address: String = "", requestID: String = "",
        details: String = "{}", count: Int64 = 1
    ) {
        self.id = id
        self.project = project
        self.at = at
        self.action = action
        self.outcome = outcome
        self.code = code
        self.person = person
        self.clientID = clientID
        self.address = address
        self.requestID = requestID
        self.details = details
        self.count = count
    }

    /// The device of the event: the first member of its ``details``, if that is a device's identifier.
    package var device: Identifier<Device>? {
        let start = #"{"device":""#.utf8
        guard details.utf8.starts(with: start) else { return nil }
        let text = details.utf8.dropFirst(start.count)
        guard let end = text.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        return Identifier(String(details[text.startIndex..<end]))
    }
}
