// SPDX-License-Identifier: Apache-2.0
import Crypto

extension RelyingParty {
    /// Verifies a registration by the steps of WebAuthn section 7.1, "Registering a New
    /// Credential", in their order.
    ///
    /// Steps 1 and 2 are those of ``CreationOptions`` and the browser, 3 and 4 those of
    /// ``UnverifiedRegistration``. The caller performs 26, 27 and 29: it stores the result only if
    /// the credential id is new.
    package func verify(
        registration response: UnverifiedRegistration, expecting: RegistrationExpectation
    ) async -> Result<VerifiedRegistration, WebAuthnRefusal> {
        do {
            return .success(try await verified(response, expecting))
        } catch { return .failure(error) }
    }

    private func verified(
        _ response: UnverifiedRegistration, _ expecting: RegistrationExpectation
    ) async throws(WebAuthnRefusal) -> VerifiedRegistration {
        let checks = CeremonyChecks(ceremony: .registration, relyingParty: self)
        // 5 to 11: client data.
        _ = try checks.clientData(response.clientDataJSON, challenge: expecting.challenge)
        // 12: the hash of the client data.
        let clientDataHash = Array(SHA256.hash(data: response.clientDataJSON))
        // 13: decode the attestation object.
        let object = try Self.attestationObject(response.attestationObject)
        // 14 to 17: RP ID, presence, verification, backup flags.
        try checks.authenticatorData(
            object.authenticatorData, userVerification: expecting.userVerification,
            requiresPresence: !expecting.isConditional)
        // 18: backup eligibility matches the policy. 19: the result contains the backup state.
        try Self.checkBackup(object.authenticatorData.flags, expecting.backup)
        // 20: the algorithm is one that was offered, and the key is valid.
        let credential = try Self.credential(in: object)
        let key = try Self.publicKey(of: credential, offered: expecting.algorithms.credentialKeys)
        // 21, 22: the format is one that is verified here, and the statement is correct.
        let statement = try Self.statement(
            of: object.format,
            AttestationEvidence(
                statement: object.statement, authenticatorData: object.authenticatorData,
                credential: credential, credentialKey: key, clientDataHash: clientDataHash,
                policy: expecting.attestation, algorithms: expecting.algorithms,
                now: expecting.now))
        // 23, 24: the trust in the attestation, and whether it satisfies the policy.
        let assessed = try await AttestationAssessment(
            policy: expecting.attestation, aaguid: credential.aaguid, algorithm: key.algorithm,
            now: expecting.now
        ).assess(statement)
        // 25: the credential id has 1 to 1023 bytes, and is the one that the client named.
        try Self.checkCredentialId(credential.credentialId, claimed: response.id)
        // 28: extension outputs match the request.
        let extensions = try RegistrationExtensionResults(
            expecting.extensions, client: response.clientExtensionResults,
            authenticator: object.authenticatorData.extensions, policy: expecting.extensionPolicy)
        return VerifiedRegistration(
            response, object: object, credential: credential, key: key,
            statement: assessed.statement, trust: assessed.trust, extensions: extensions)
    }

    private static func refusal(
        _ step: Int, _ code: WebAuthnRefusal.Code, _ reason: String
    ) -> WebAuthnRefusal {
        WebAuthnRefusal(CeremonyStep(.registration, step), code, reason)
    }

    private static func attestationObject(
        _ bytes: [UInt8]
    ) throws(WebAuthnRefusal) -> AttestationObject {
        do {
            return try AttestationObject(cbor: bytes)
        } catch {
            if case .authenticatorData(let error) = error {
                throw refusal(13, .authenticatorDataMalformed, "\(error)")
            }
            throw refusal(13, .attestationObjectMalformed, "\(error)")
        }
    }

    private static func checkBackup(
        _ flags: AuthenticatorFlags, _ policy: BackupPolicy
    ) throws(WebAuthnRefusal) {
        guard policy.accepts(isBackupEligible: flags.contains(.backupEligible)) else {
            throw refusal(18, .backupEligibilityNotAllowed, "backup is \(policy.rawValue)")
        }
    }

    private static func statement(
        of name: String, _ evidence: AttestationEvidence
    ) throws(WebAuthnRefusal) -> VerifiedStatement {
        guard let format = AttestationFormat(rawValue: name) else {
            throw refusal(21, .attestationFormatUnsupported, "fmt is \(name)")
        }
        do { return try format.verify(evidence) } catch {
            throw refusal(22, error.code, error.reason)
        }
    }

    private static func credential(
        in object: AttestationObject
    ) throws(WebAuthnRefusal) -> AttestedCredentialData {
        guard let credential = object.authenticatorData.attestedCredential else {
            throw refusal(13, .authenticatorDataMalformed, "AT is clear")
        }
        return credential
    }

    private static func publicKey(
        of credential: AttestedCredentialData, offered: [COSEAlgorithm]
    ) throws(WebAuthnRefusal) -> COSEPublicKey {
        let key: COSEPublicKey
        do { key = try COSEPublicKey(credential.publicKey) } catch {
            let code: WebAuthnRefusal.Code =
                error == .unknownAlgorithm ? .algorithmNotAllowed : .publicKeyInvalid
            throw refusal(20, code, error.rawValue)
        }
        guard offered.contains(key.algorithm) else {
            throw refusal(20, .algorithmNotAllowed, "alg \(key.algorithm.rawValue)")
        }
        guard key.hasPointOnCurve else {
            throw refusal(20, .publicKeyInvalid, COSEKeyError.invalidPoint.rawValue)
        }
        return key
    }

    private static func checkCredentialId(
        _ id: ArraySlice<UInt8>, claimed: [UInt8]
    ) throws(WebAuthnRefusal) {
        guard 1...1023 ~= id.count else {
            throw refusal(25, .credentialIdLengthInvalid, "\(id.count) bytes")
        }
        guard id.elementsEqual(claimed) else {
            throw refusal(25, .credentialIdMismatch, "the attested id is not rawId")
        }
    }
}
