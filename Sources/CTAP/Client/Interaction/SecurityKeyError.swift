// SPDX-License-Identifier: Apache-2.0

/// A failed operation with a security key. ``sentence`` is its text for a person.
package enum SecurityKeyError: Error, Sendable, Equatable {
    // The PIN
    /// `triesLeft` is `nil` when the key does not say.
    case wrongPIN(triesLeft: Int?)
    /// Too many wrong PINs in a row: it must be powered off before the next.
    case mustBeReinserted
    /// No tries are left; only a reset helps.
    case pinBlocked
    case pinNotSet
    /// A PIN is required and was not entered.
    case pinRequired
    case pinTooShort(minimum: Int)
    case pinTooLong
    /// The key refuses this PIN as a new one.
    case pinPolicyViolation
    /// The PIN must be changed before any other operation.
    case pinMustBeChanged

    // Built-in verification
    case notRecognised
    /// The key's own verification is blocked; a PIN unblocks it.
    case verificationBlocked
    /// The relying party requires user verification, which this key does not support.
    case verificationUnavailable

    // Credentials
    case alreadyRegistered
    case noCredential
    /// No credential on the key has the id, or a beginning of it, by which it was named.
    case unknownCredential
    /// Several have ids that begin so.
    case ambiguousCredential
    case credentialStoreFull
    case fingerprintStoreFull
    case largeBlobStoreFull
    case unsupportedAlgorithm

    // The person
    case cancelled
    case touchTimedOut
    case denied

    // The key
    case noKey
    case keyRemoved
    case keyBusy
    case accessDenied
    /// No reply in time.
    case timedOut
    /// The key does not support the named command, option or feature.
    case unsupported(String)
    /// Not now: a reset, for instance, is allowed only just after plugging in.
    case notAllowedNow
    case requestTooLarge
    /// Stored data does not match its checksum.
    case storedDataDamaged
    /// The key violated the protocol. The text describes the violation and is safe to log.
    case untrustworthyReply(String)
    /// A status that has no other case.
    case refused(CTAPStatus)
    case systemFailure(Int64)

    // The caller
    /// The options of the relying party are not what WebAuthn allows; the text names the member.
    case malformedOptions(String)
    /// The caller may not act for this RP ID.
    case relyingPartyNotAllowed(RelyingPartyScopeError)
}
