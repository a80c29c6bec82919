// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of single-use values.
package protocol ChallengeStore: Sendable {
    func issue(_ challenge: Challenge) async throws
    /// Returns the active challenge without consuming it: for pages that display it again before
    /// its use.
    func peek(
        hash: [UInt8], purpose: Challenge.Purpose, in project: Identifier<Project>, now: Timestamp
    ) async throws -> Challenge?
    /// Deletes the active challenge and returns it. Exactly one caller receives it.
    func consumeChallenge(
        hash: [UInt8], purpose: Challenge.Purpose, in project: Identifier<Project>, now: Timestamp
    ) async throws -> Challenge?

    /// Consumes an identifier until `expiresAt`: `true` for the first caller only.
    func markUsed(_ mark: OneTimeIdentifier, expiresAt: Timestamp) async throws -> Bool
    /// Whether the identifier is consumed.
    func isUsed(_ mark: OneTimeIdentifier) async throws -> Bool
    /// Consumes the identifier and writes `event` in one commit. If it returns `false`, no event is
    /// written.
    func markUsed(_ use: OneTimeUse, recording event: AuditEvent) async throws -> Bool
}

/// A one-time identifier: for example a client assertion's `jti`, or that of a revoked access
/// token.
package struct OneTimeIdentifier: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case clientAssertion = "client_assertion", revokedToken = "revoked_token"
        /// The offer of a passkey to a person after a sign-in with a password.
        case passkeyOffer = "passkey_offer"
        /// A nonce that was issued for a registration or for a sign-in with a key.
        case nonce
        /// The `jti` of an issuer's token that identifies a person.
        case issuedToken = "issued_token"
        /// The condition that a device has not registered before: consumed from the start.
        case registeredDevice = "registered_device"
        /// A nonce that was issued to a device.
        case deviceNonce = "device_nonce"
        /// The `jti` of a DPoP proof, with its key.
        case possessionProof = "possession_proof"
        /// A SAML assertion, by a hash of its project, issuer and identifier.
        case samlAssertion = "saml_assertion"
        /// A ticket of a sign-up form, consumed by the person's insertion.
        case registrationTicket = "registration_ticket"
        /// The challenge of a completed WebAuthn ceremony.
        case passkeyChallenge = "passkey_challenge"
        /// An authorization request that was waiting for a person and was completed.
        case authorizationRequest = "authorization_request"
        /// The response of an upstream provider.
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

/// A one-time identifier that is consumed in the transaction of its use.
package struct OneTimeUse: Sendable, Hashable {
    package var mark: OneTimeIdentifier
    /// The time until which the identifier is stored.
    package var expiresAt: Timestamp

    package init(_ mark: OneTimeIdentifier, until expiresAt: Timestamp) {
        self.mark = mark
        self.expiresAt = expiresAt
    }
}

/// A durable counter of failed attempts and of expensive requests.
package protocol AttemptStore: Sendable {
    /// Returns the attempts of the current window of each bucket, in one read. Buckets without
    /// attempts are omitted.
    func attempts(
        in buckets: [[UInt8]], now: Timestamp
    ) async throws -> [[UInt8]: CountedAttempts]
    /// Records one attempt in `bucket` (a keyed hash of an account or address) and returns whether
    /// it is allowed. The window starts at its first attempt and allows `limit` attempts.
    func recordAttempt(
        bucket: [UInt8], limit: Int, window: TimeSpan, now: Timestamp
    ) async throws -> AttemptDecision
    /// Resets the attempts of a bucket after a success.
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

/// The attempts in a bucket.
package struct CountedAttempts: Sendable, Equatable {
    package let count: Int
    /// The time at which the bucket is reset.
    package let resetsAt: Timestamp

    package init(count: Int, resetsAt: Timestamp) {
        self.count = count
        self.resetsAt = resetsAt
    }
}

package enum AttemptDecision: Sendable, Equatable {
    /// The attempt is allowed, with the number of further attempts in the window.
    case allowed(remaining: Int)
    case refused(until: Timestamp)
}

/// The state of an access token for introspection and userinfo, in one read.
package protocol TokenStateStore: Sendable {
    /// Returns the state of an access token: active unless it or its grant is revoked or the
    /// grant's person is disabled.
    func tokenState(
        jti: [UInt8], grant: Identifier<Grant>?, now: Timestamp
    ) async throws -> TokenState
}

package enum TokenState: Sendable, Equatable {
    case active
    case revoked
}
