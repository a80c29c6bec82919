// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The decision about a request. It must not be sent before the store has saved it.
package struct PINDecision: Sendable {
    package let outcome: PINOutcome
    /// The record that replaces the verified one, in the transaction that consumes the nonce; `nil`
    /// if only the nonce is consumed.
    package let successor: PINRecord?

    /// Whether there is a change to save. A request without a valid device signature changes
    /// nothing: it consumes no nonce and costs no commit.
    package var needsSettling: Bool {
        outcome != .refused(.unknownKey) && outcome != .refused(.notSigned)
    }

    init(_ outcome: PINOutcome, _ successor: PINRecord? = nil) {
        self.outcome = outcome
        self.successor = successor
    }
}

package enum PINOutcome: Sendable, Equatable {
    /// The proof is correct. `version` is the secret of the proof. `wrongBefore` is the number of
    /// wrong PINs since the last correct one, for information of the person.
    case accepted(version: UInt32, wrongBefore: Int)
    /// Delivered with ``PINStatementSigner/delivery(of:to:answering:)``.
    case offered(PINOfferedSecret)
    /// Stated with ``PINStatementSigner/version(_:to:answering:in:)``.
    case standing(version: UInt32)
    case wrongPIN(PINAttempts)
    /// Stated with ``PINStatementSigner/ending(_:of:now:in:)``.
    case ended(PINTermination)
    /// The reason is not sent: the response is the same for all.
    case refused(PINRefusal)
}

/// The private reason of a refusal, for log and audit.
package enum PINRefusal: String, Sendable, Equatable, CaseIterable {
    case unknownKey = "unknown_key"
    /// The signature, algorithm or issuer is wrong.
    case notSigned = "not_signed"
    /// The nonce was consumed, has expired, or is unknown.
    case nonceUsed = "nonce_used"
    /// The proof uses a secret that is neither current nor offered; in version 1, a sign-in or a
    /// change uses one that is not current.
    case unknownVersion = "unknown_version"
    /// The proof is not sealed to a key of the provider for this request. It is not a guess, so it
    /// is not counted.
    case proofUnreadable = "proof_unreadable"
    /// A first secret is requested outside a registration.
    case outsideRegistration = "outside_registration"
    /// A registration for a key that has a PIN.
    case alreadyRegistered = "already_registered"
    /// A request within a registration is not an offer.
    case notAnOffer = "not_an_offer"
    /// Four billion changes.
    case versionsExhausted = "versions_exhausted"
}

/// A secret for delivery to the device that requested it.
package struct PINOfferedSecret: Sendable, Equatable {
    package let version: UInt32
    let secret: Secret
    let transportKey: PINTransportPublicKey

    package init(version: UInt32, secret: Secret, transportKey: PINTransportPublicKey) {
        self.version = version
        self.secret = secret
        self.transportKey = transportKey
    }
}
