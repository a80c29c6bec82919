// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where single-use things are kept.
package protocol ChallengeStore: Sendable {
    func issue(_ challenge: Challenge) async throws
    /// The living challenge, left in place: for pages that must show it again before it is used.
    func peek(
        hash: [UInt8], purpose: Challenge.Purpose, in project: Identifier<Project>, now: Timestamp
    ) async throws -> Challenge?
    /// Deletes the living challenge and returns it. Exactly one caller gets it.
    func consumeChallenge(
        hash: [UInt8], purpose: Challenge.Purpose, in project: Identifier<Project>, now: Timestamp
    ) async throws -> Challenge?

    /// Marks an identifier as used until `expiresAt`: `true` for the first caller only.
    func markUsed(_ mark: OneTimeIdentifier, expiresAt: Timestamp) async throws -> Bool
    /// Whether the identifier was marked.
    func isUsed(_ mark: OneTimeIdentifier) async throws -> Bool
    /// The same as marking, with `event` in one commit: `false` leaves no event.
    func markUsed(_ use: OneTimeUse, recording event: AuditEvent) async throws -> Bool
}

/// An identifier that may be used once: a client assertion's `jti`, a revoked access token's.
package struct OneTimeIdentifier: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case clientAssertion = "client_assertion", revokedToken = "revoked_token"
        /// A person who has been offered a passkey after signing in with a password.
        case passkeyOffer = "passkey_offer"
        /// A nonce that was given out for a registration or for signing in with a key.
        case nonce
        /// The `jti` of a token by which an issuer vouches for somebody.
        case issuedToken = "issued_token"
        /// What a registration needs of a device that has registered before: used up from the start.
        case registeredDevice = "registered_device"
        /// A nonce that a device was given.
        case deviceNonce = "device_nonce"
        /// The `jti` of a proof of possession, with its key.
        case possessionProof = "possession_proof"
        /// A SAML assertion, by a hash of its project, issuer and identifier.
        case samlAssertion = "saml_assertion"
        /// A ticket of a form for a new account, by the person that has come of it.
        case registrationTicket = "registration_ticket"
        /// The challenge of a WebAuthn ceremony that has been answered rightly.
        case passkeyChallenge = "passkey_challenge"
        /// An authorization request that waited for a person and was answered.
        case authorizationRequest = "authorization_request"
        /// What came back from an upstream provider.
        case upstreamAttempt = "upstream_attempt"
    }
    package var kind: Kind
    /// At most 64 bytes; longer identifiers are hashed by the caller.
    package var key: [UInt8]

    package init(_ kind: Kind, key: [UInt8]) {
        self.kind = kind
        self.key = key
    }
}

/// A mark to be made in the step of what it is used for.
package struct OneTimeUse: Sendable, Hashable {
    package var mark: OneTimeIdentifier
    /// Until then the mark is kept.
    package var expiresAt: Timestamp

    package init(_ mark: OneTimeIdentifier, until expiresAt: Timestamp) {
        self.mark = mark
        self.expiresAt = expiresAt
    }
}

/// Where wrong guesses are counted, durably, and requests that cost something.
package protocol AttemptStore: Sendable {
    /// How many attempts of the window that lasts at `now` are counted in each bucket, in one read.
    /// Buckets without any are left out.
    func attempts(
        in buckets: [[UInt8]], now: Timestamp
    ) async throws -> [[UInt8]: CountedAttempts]
    /// Counts one attempt in `bucket` (a keyed hash: account or address) and says whether it may go
    /// on. The window starts with its first attempt; `limit` attempts fit into it.
    func recordAttempt(
        bucket: [UInt8], limit: Int, window: TimeSpan, now: Timestamp
    ) async throws -> AttemptDecision
    /// Forgets the attempts of a bucket after a success.
    func clearAttempts(bucket: [UInt8]) async throws
}

/// A bucket with the attempts that fit into its window.
package struct AttemptBudget: Sendable, Equatable {
    package let bucket: [UInt8]
    package let limit: Int

    package init(bucket: [UInt8], limit: Int) {
        self.bucket = bucket
        self.limit = limit
    }
}

/// What a bucket holds.
package struct CountedAttempts: Sendable, Equatable {
    package let count: Int
    /// When the bucket is empty again.
    package let resetsAt: Timestamp

    package init(count: Int, resetsAt: Timestamp) {
        self.count = count
        self.resetsAt = resetsAt
    }
}

package enum AttemptDecision: Sendable, Equatable {
    /// With how many further attempts are left in the window.
    case allowed(remaining: Int)
    case refused(until: Timestamp)
}

/// What introspection and userinfo ask on every call, in one read.
package protocol TokenStateStore: Sendable {
    /// Whether the access token still stands: not marked as revoked, its grant (if any) living,
    /// and the grant's person not disabled.
    func tokenState(
        jti: [UInt8], grant: Identifier<Grant>?, now: Timestamp
    ) async throws -> TokenState
}

package enum TokenState: Sendable, Equatable {
    case living
    case revoked
}
