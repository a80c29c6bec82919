// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A request of a client for a person's approval in an app installation: a backchannel
/// authentication request (OpenID Connect CIBA 1.0).
package struct Approval: Sendable, Equatable {
    package enum State: String, Sendable {
        case pending, approved, denied
        /// The client has fetched the result.
        case redeemed
    }

    package var id: Identifier<Approval>
    package var project: Identifier<Project>
    package var client: Identifier<Client>
    /// Keyed hash of the `auth_req_id`, which the client polls with.
    package var requestHash: [UInt8]
    /// Keyed hash of the code that is shown in a browser; `nil` where the client named the person.
    package var codeHash: [UInt8]?
    /// `nil` until a person has submitted the code.
    package var person: Identifier<Person>?
    /// The one installation that may respond; `nil` while all of the person's may.
    package var installation: Identifier<Installation>?
    package var scope: String
    /// For the person; empty for none.
    package var message: String
    /// The text that the person signs; empty for none.
    package var transaction: String
    /// The nonce that the response must contain, 32 bytes.
    package var nonce: [UInt8]
    package var state: State
    /// The installation's signed response.
    package var answer: String?
    /// Seconds between two polls.
    package var interval: Int64
    package var createdAt: Timestamp
    package var expiresAt: Timestamp

    package init(
        id: Identifier<Approval>, project: Identifier<Project>, client: Identifier<Client>,
        requestHash: [UInt8], codeHash: [UInt8]? = nil, person: Identifier<Person>?,
        installation: Identifier<Installation>? = nil, scope: String, message: String = "",
        transaction: String = "", nonce: [UInt8], state: State = .pending, answer: String? = nil,
        interval: Int64 = 5, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.client = client
        self.requestHash = requestHash
        self.codeHash = codeHash
        self.person = person
        self.installation = installation
        self.scope = scope
        self.message = message
        self.transaction = transaction
        self.nonce = nonce
        self.state = state
        self.answer = answer
        self.interval = interval
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

extension Approval {
    /// The state for administrators.
    package enum Status: String, Sendable { case pending, expired, approved, denied }

    package func status(at now: Timestamp) -> Status {
        switch state {
        case .pending: expiresAt > now ? .pending : .expired
        case .approved, .redeemed: .approved
        case .denied: .denied
        }
    }
}

/// An installation that receives approval requests for its person.
package struct ApprovalEnrollment: Sendable, Equatable {
    package var installation: Identifier<Installation>
    /// The push token of the installation, sealed; `nil` if it has none.
    package var sealedPushToken: [UInt8]?
    package var enrolledAt: Timestamp

    package init(
        installation: Identifier<Installation>, sealedPushToken: [UInt8]? = nil,
        enrolledAt: Timestamp
    ) {
        self.installation = installation
        self.sealedPushToken = sealedPushToken
        self.enrolledAt = enrolledAt
    }
}
