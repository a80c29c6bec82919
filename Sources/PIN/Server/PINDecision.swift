// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What a request comes to. Nobody may be told before the store has settled it.
package struct PINDecision: Sendable {
    package let outcome: PINOutcome
    /// The record to put in the place of the one that was judged, in one step with taking the
    /// nonce out of use; `nil` when only the nonce is to go.
    package let successor: PINRecord?

    /// Whether there is anything to settle. What no device signed leaves no trace: it spends no
    /// nonce and costs no commit.
    package var needsSettling: Bool {
        outcome != .refused(.unknownKey) && outcome != .refused(.notSigned)
    }

    init(_ outcome: PINOutcome, _ successor: PINRecord? = nil) {
        self.outcome = outcome
        self.successor = successor
    }
}

package enum PINOutcome: Sendable, Equatable {
    /// The person is who registered. `version` is the secret that the proof was made with;
    /// `wrongBefore` how many wrong PINs came since the last right one, which their owner may want
    /// to know.
    case accepted(version: UInt32, wrongBefore: Int)
    /// To be delivered with ``PINStatementSigner/delivery(of:to:answering:)``.
    case offered(PINOfferedSecret)
    /// To be stated with ``PINStatementSigner/version(_:to:answering:)``.
    case standing(version: UInt32)
    case wrongPIN(PINAttempts)
    /// To be stated with ``PINStatementSigner/ending(_:of:now:)``.
    case ended(PINTermination)
    /// Outside, all of these are one answer.
    case refused(PINRefusal)
}

/// The private reason of a refusal, for log and audit.
package enum PINRefusal: String, Sendable, Equatable, CaseIterable {
    case unknownKey = "unknown_key"
    /// Wrong signature, algorithm or issuer.
    case notSigned = "not_signed"
    /// The nonce was used, has expired, or never was.
    case nonceUsed = "nonce_used"
    /// Proved with a secret that is neither current nor, for a commit, offered.
    case unknownVersion = "unknown_version"
    /// A first secret is asked for outside a registration.
    case outsideRegistration = "outside_registration"
    /// A registration for a key that has a PIN.
    case alreadyRegistered = "already_registered"
    /// Something else than an offer within a registration.
    case notAnOffer = "not_an_offer"
    /// Four billion changes.
    case versionsExhausted = "versions_exhausted"
}

/// A secret on its way to the device that asked for it.
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
