// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The durable state of a software key.
package struct AuthenticatorState: Sendable {
    /// A stored PIN: its hash, and its length for later minimum lengths.
    package struct StoredPIN: Sendable, Equatable {
        package var hash: Secret
        package var codePoints: Int
    }

    /// The tries that a fresh PIN has (CTAP 2.1 section 6.5.2.3).
    package static let maximumPINRetries = 8
    /// The tries that built-in verification has.
    package static let maximumVerificationRetries = 5
    /// SHA-256 of an empty CBOR array, cut to 16 bytes, behind that array (section 6.10).
    package static let emptyLargeBlobArray: [UInt8] = [
        0x80, 0x76, 0xBE, 0x8B, 0x52, 0x8D, 0x00, 0x75, 0xF7, 0xAA, 0xE9, 0x8D, 0x6F, 0xA5, 0x7A,
        0x6D, 0x3C,
    ]

    /// The attestation key and its certificate, which survive a reset.
    package var attestationKey: Secret
    package var attestationCertificate: [UInt8]

    /// The key that encrypts credentials that are not stored. It and all members below are new
    /// after a reset.
    package var credentialKey: Secret
    /// An identifier of the key for owners of a persistent token.
    package var deviceIdentifier: [UInt8]
    /// Changes whenever the discoverable credentials do.
    package var credentialStoreState: [UInt8]
    package var signCount: UInt32 = 0
    package var credentials: [AuthenticatorCredential] = []
    package var nextOrder: UInt64 = 0

    package var pin: StoredPIN?
    package var pinRetries = AuthenticatorState.maximumPINRetries
    package var verificationRetries = AuthenticatorState.maximumVerificationRetries
    package var minimumPINLength = ClientPIN.leastCodePoints
    package var minimumPINLengthRPIDs: [String] = []
    package var forcesPINChange = false
    package var persistentToken: Secret?

    package var alwaysVerifies = false
    package var attestsEnterprise = false
    package var longTouchForReset = false
    package var fingerprints: [FingerprintTemplate] = []
    package var largeBlobArray = AuthenticatorState.emptyLargeBlobArray

    /// Creates the state of a new key.
    package init(
        random: some RandomSource, attestationKey: Secret, attestationCertificate: [UInt8]
    ) {
        self.attestationKey = attestationKey
        self.attestationCertificate = attestationCertificate
        credentialKey = Secret(random.bytes(32))
        deviceIdentifier = random.bytes(16)
        credentialStoreState = random.bytes(16)
    }

    /// Whether an attacker who restores `older` would gain an advantage: restored attempts, a
    /// replaced PIN, a weaker policy, deleted data.
    ///
    /// A lower sign counter is not one, because relying parties detect it.
    func mustNotFallBack(to older: AuthenticatorState) -> Bool {
        let hasFewerTries =
            pinRetries < older.pinRetries || verificationRetries < older.verificationRetries
        let hasOtherSecrets =
            pin != older.pin || credentialKey != older.credentialKey
            || persistentToken != older.persistentToken
        return hasFewerTries || hasOtherSecrets || hasOtherRules(than: older)
            || lacksAnything(of: older)
    }

    private func hasOtherRules(than older: AuthenticatorState) -> Bool {
        minimumPINLength != older.minimumPINLength || forcesPINChange != older.forcesPINChange
            || alwaysVerifies != older.alwaysVerifies
            || attestsEnterprise != older.attestsEnterprise
    }

    private func lacksAnything(of older: AuthenticatorState) -> Bool {
        let fingers = Set(fingerprints.map(\.id))
        let ids = Set(credentials.map(\.id))
        return !older.fingerprints.allSatisfy { fingers.contains($0.id) }
            || !older.credentials.allSatisfy { ids.contains($0.id) }
    }

    /// Returns the state after a reset: only attestation remains.
    package func afterReset(random: some RandomSource) -> AuthenticatorState {
        AuthenticatorState(
            random: random, attestationKey: attestationKey,
            attestationCertificate: attestationCertificate)
    }
}
