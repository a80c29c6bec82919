// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives

extension RelyingParty {
    /// WebAuthn section 7.2, "Verifying an Authentication Assertion", in its order.
    ///
    /// Steps 1 and 2 are the options and the browser's; 3 and 4 are ``UnverifiedAssertion``. The
    /// caller has looked `stored` up by the id of the response.
    package func verify(
        assertion response: UnverifiedAssertion, for stored: StoredCredential,
        expecting: AssertionExpectation
    ) -> Result<VerifiedAssertion, WebAuthnRefusal> {
        do {
            return .success(try verified(response, stored, expecting))
        } catch { return .failure(error) }
    }

    private func verified(
        _ response: UnverifiedAssertion, _ stored: StoredCredential,
        _ expecting: AssertionExpectation
    ) throws(WebAuthnRefusal) -> VerifiedAssertion {
        let checks = CeremonyChecks(
            ceremony: .authentication, relyingParty: self,
            rpIdHash: Self.appIDHash(response, expecting))
        // 5: the credential is one of those that were allowed.
        try Self.checkAllowed(response, expecting.allowCredentials)
        // 6: the record is of this credential and of this person.
        try Self.checkOwner(response, stored, expecting)
        // 7 to 14: client data.
        _ = try checks.clientData(response.clientDataJSON, challenge: expecting.challenge)
        // 15 to 18: RP ID, presence, verification, backup flags.
        let data = try Self.authenticatorData(response.authenticatorData)
        try checks.authenticatorData(
            data, userVerification: expecting.userVerification, requiresPresence: true)
        // 19: backup eligibility never changes.
        try Self.checkBackup(data.flags, stored)
        // 20, 21: the credential's key signs the authenticator data and the hash of the client
        // data.
        try Self.checkSignature(response, data, stored, expecting)
        // 22: the counter increased, if the authenticator has one.
        let outcome = try Self.signCount(data.signCount, stored, expecting.signCountPolicy)
        // 23: extension outputs match the request. 24, 25: the caller's steps.
        let extensions = try AuthenticationExtensionResults(
            expecting.extensions, client: response.clientExtensionResults,
            authenticator: data.extensions, policy: expecting.extensionPolicy)
        return VerifiedAssertion(response, data: data, outcome: outcome, extensions: extensions)
    }

    private static func refusal(
        _ step: Int, _ code: WebAuthnRefusal.Code, _ reason: String
    ) -> WebAuthnRefusal {
        WebAuthnRefusal(CeremonyStep(.authentication, step), code, reason)
    }

    /// Returns the hash of the AppID, which replaces the RP ID's hash if the AppID was requested
    /// and the client states that it used it (section 10.1.1); `nil` otherwise.
    private static func appIDHash(
        _ response: UnverifiedAssertion, _ expecting: AssertionExpectation
    ) -> [UInt8]? {
        guard let appID = expecting.extensions.appID,
            response.clientExtensionResults["appid"] == true
        else { return nil }
        return Array(SHA256.hash(data: Array(appID.utf8)))
    }

    private static func checkAllowed(
        _ response: UnverifiedAssertion, _ allowed: [[UInt8]]
    ) throws(WebAuthnRefusal) {
        guard allowed.isEmpty || allowed.contains(response.id) else {
            throw refusal(5, .credentialNotAllowed, "not in allowCredentials")
        }
    }

    private static func checkBackup(
        _ flags: AuthenticatorFlags, _ stored: StoredCredential
    ) throws(WebAuthnRefusal) {
        guard let registered = stored.backupEligible else { return }
        guard registered == flags.contains(.backupEligible) else {
            throw refusal(19, .backupEligibilityChanged, "BE is not as registered")
        }
    }

    private static func checkSignature(
        _ response: UnverifiedAssertion, _ data: AuthenticatorData, _ stored: StoredCredential,
        _ expecting: AssertionExpectation
    ) throws(WebAuthnRefusal) {
        let clientDataHash = Array(SHA256.hash(data: response.clientDataJSON))
        let key = try publicKey(stored, expecting)
        guard
            key.isValid(signature: response.signature[...], over: data.bytes, clientDataHash)
        else { throw refusal(21, .signatureInvalid, "not by the credential") }
    }

    private static func checkOwner(
        _ response: UnverifiedAssertion, _ stored: StoredCredential,
        _ expecting: AssertionExpectation
    ) throws(WebAuthnRefusal) {
        guard response.id == stored.id else {
            throw refusal(6, .credentialUnknown, "the record is of another credential")
        }
        if let named = expecting.owner {
            guard let owner = stored.userHandle, ConstantTime.equal(named, owner) else {
                throw refusal(6, .credentialOwnerMismatch, "of another person than was named")
            }
        }
        guard let handle = response.userHandle else {
            if expecting.requiresUserHandle {
                throw refusal(6, .userHandleMissing, "userHandle is missing")
            }
            return
        }
        if let owner = stored.userHandle, !ConstantTime.equal(handle, owner) {
            throw refusal(6, .userHandleMismatch, "userHandle is another person's")
        }
    }

    private static func authenticatorData(
        _ bytes: [UInt8]
    ) throws(WebAuthnRefusal) -> AuthenticatorData {
        let data: AuthenticatorData
        do { data = try AuthenticatorData(bytes[...]) } catch {
            throw refusal(15, .authenticatorDataMalformed, "\(error)")
        }
        // Section 6.1: an assertion carries no attested credential data.
        guard data.attestedCredential == nil else {
            throw refusal(15, .authenticatorDataMalformed, "AT is set in an assertion")
        }
        return data
    }

    private static func publicKey(
        _ stored: StoredCredential, _ expecting: AssertionExpectation
    ) throws(WebAuthnRefusal) -> COSEPublicKey {
        let key: COSEPublicKey
        do { key = try COSEPublicKey(cbor: stored.publicKey[...]) } catch {
            throw refusal(21, .publicKeyInvalid, error.rawValue)
        }
        guard expecting.acceptsRS1 || !key.algorithm.usesSHA1 else {
            throw refusal(21, .algorithmNotAllowed, "alg \(key.algorithm.rawValue)")
        }
        return key
    }

    private static func signCount(
        _ count: UInt32, _ stored: StoredCredential, _ policy: AssertionExpectation.SignCountPolicy
    ) throws(WebAuthnRefusal) -> VerifiedAssertion.SignCountOutcome {
        if count == 0, stored.signCount == 0 { return .notCounted }
        if count > stored.signCount { return .increased }
        guard policy == .report else {
            throw refusal(22, .signCountNotIncreased, "\(count) after \(stored.signCount)")
        }
        return .notIncreased
    }
}
