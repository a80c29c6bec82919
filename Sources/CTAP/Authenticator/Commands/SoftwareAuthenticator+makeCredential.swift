// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import Primitives
import WebAuthn

/// `authenticatorMakeCredential` (CTAP 2.1 section 6.1.2).
extension SoftwareAuthenticator {
    func makeCredential(
        _ request: MakeCredentialRequest
    ) async throws(CTAPStatus) -> MakeCredentialResponse {
        if request.pinUvAuthParam?.isEmpty == true { try await answerProbe() }
        if request.pinUvAuthParam != nil { _ = try pinProtocol(request.pinUvAuthProtocol) }
        let algorithm = try algorithm(of: request.pubKeyCredParams)
        if request.options?.up == false { throw .invalidOption }
        let protection = try protection(of: request.extensions)
        let attestsEnterprise = try enterpriseAttestation(of: request)
        if (request.excludeList?.count ?? 0) > configuration.maximumCredentialCountInList {
            throw .limitExceeded
        }
        let operation = GesturePrompt.Operation.makeCredential(
            rpId: request.rp.id, user: request.user.name)
        let verification = try await verifyPerson(verification(of: request, operation))
        try await refuseExcluded(request, verification)
        if !showsPresence(verification) { try await confirmPresence(operation) }
        let secrets = try newSecrets(request)
        if verification == .byToken { spendToken() }
        let credential = try keep(request, algorithm, protection)
        return try response(
            request, credential, isVerified: verification.isVerified, secrets: secrets,
            attestsEnterprise: attestsEnterprise)
    }

    // MARK: Judging the request

    /// The first algorithm of the list that this key can make (step 3).
    private func algorithm(
        of parameters: [CTAPCredentialParameters]
    ) throws(CTAPStatus) -> COSEAlgorithm {
        for item in parameters where item.type == CTAPCredentialDescriptor.publicKey {
            if let algorithm = COSEAlgorithm(rawValue: item.algorithm),
                algorithms.contains(algorithm)
            {
                return algorithm
            }
        }
        throw .unsupportedAlgorithm
    }

    private func protection(
        of extensions: MakeCredentialExtensions?
    ) throws(CTAPStatus) -> CredentialProtection {
        guard let asked = extensions?.credProtect else { return .userVerificationOptional }
        guard let protection = CredentialProtection(rawValue: asked) else { throw .invalidOption }
        return protection
    }

    /// Whether enterprise attestation is to be given (step 9).
    private func enterpriseAttestation(
        of request: MakeCredentialRequest
    ) throws(CTAPStatus) -> Bool {
        guard let kind = request.enterpriseAttestation else { return false }
        guard let allowed = configuration.enterpriseRPIDs, state.attestsEnterprise else {
            throw .invalidParameter
        }
        switch kind {
        case 1: return allowed.contains(request.rp.id)
        case 2: return true
        default: throw .invalidOption
        }
    }

    /// Without verification only credentials that are not discoverable can be made, and those not
    /// when the key always verifies (steps 6 to 8).
    private func verification(
        of request: MakeCredentialRequest, _ operation: GesturePrompt.Operation
    ) -> VerificationRequest {
        let isDiscoverable = request.options?.rk ?? false
        return VerificationRequest(
            parameter: request.pinUvAuthParam, pinProtocol: request.pinUvAuthProtocol,
            clientDataHash: request.clientDataHash, options: request.options,
            rpId: request.rp.id, permission: .makeCredential, operation: operation,
            isRequired: state.alwaysVerifies || (isProtected && isDiscoverable))
    }

    /// Says that a credential of the list is already here, but only after a touch (step 12): a
    /// program alone must not learn it.
    private func refuseExcluded(
        _ request: MakeCredentialRequest, _ verification: PersonVerification
    ) async throws(CTAPStatus) {
        let rpIdHash = Array(SHA256.hash(data: Array(request.rp.id.utf8)))
        for descriptor in request.excludeList ?? [] {
            guard let found = credential(descriptor, rpIdHash: rpIdHash) else { continue }
            if found.protection == .userVerificationRequired, !verification.isVerified { continue }
            if !showsPresence(verification) {
                do { try await confirmPresence(.excludedCredential(rpId: request.rp.id)) } catch {
                    // Whether the person agreed makes no difference; a cancel does.
                    if error == .keepaliveCancel { throw error }
                }
            }
            throw .credentialExcluded
        }
    }

    // MARK: Making

    private func keep(
        _ request: MakeCredentialRequest, _ algorithm: COSEAlgorithm,
        _ protection: CredentialProtection
    ) throws(CTAPStatus) -> AuthenticatorCredential {
        let chosen: COSEAlgorithm =
            configuration.misbehaviour.contains(.otherAlgorithm)
            ? (algorithm == .edDSA ? .es256 : .edDSA) : algorithm
        let key = try newKey(chosen)
        var credential = AuthenticatorCredential(
            id: random.bytes(32), rpIdHash: Array(SHA256.hash(data: Array(request.rp.id.utf8))),
            key: key, protection: protection,
            thirdPartyPayment: request.extensions?.thirdPartyPayment ?? false)
        if request.options?.rk == true {
            try keep(&credential, request)
        } else {
            credential.id =
                try wrapping
                .id(for: credential, random: random)
        }
        return credential
    }

    /// A key in the hardware where there is one, else in software.
    private func newKey(_ algorithm: COSEAlgorithm) throws(CTAPStatus) -> CredentialPrivateKey {
        if let hardware {
            do { return .hardware(try hardware.makeKey()) } catch { throw .other }
        }
        guard let key = CredentialPrivateKey(algorithm, random: random) else { throw .other }
        return key
    }

    /// Puts a discoverable credential into the store, in the place of an older one for the same
    /// account (step 15).
    private func keep(
        _ credential: inout AuthenticatorCredential, _ request: MakeCredentialRequest
    ) throws(CTAPStatus) {
        var blob = request.extensions?.credBlob ?? []
        if blob.count > configuration.maximumCredentialBlob { blob = [] }
        let wantsLargeBlobs = request.extensions?.largeBlobKey ?? false
        credential.discoverable = AuthenticatorCredential.Discoverable(
            rp: request.rp, user: request.user, order: state.nextOrder, blob: blob,
            largeBlobKey: wantsLargeBlobs ? random.bytes(32) : nil)
        let account = state.credentials.firstIndex {
            $0.rpIdHash == credential.rpIdHash && $0.discoverable?.user.id == request.user.id
        }
        guard account != nil || remainingCredentials > 0 else { throw .keyStoreFull }
        let (kept, storeState) = (credential, random.bytes(16))
        try commit {
            if let account { $0.credentials.remove(at: account) }
            $0.credentials.append(kept)
            $0.nextOrder += 1
            $0.credentialStoreState = storeState
        }
    }

    // MARK: Answering

    private func response(
        _ request: MakeCredentialRequest, _ credential: AuthenticatorCredential,
        isVerified: Bool, secrets: SaltedSecrets?, attestsEnterprise: Bool
    ) throws(CTAPStatus) -> MakeCredentialResponse {
        let outputs = try outputs(request, credential, isVerified: isVerified, secrets)
        var flags: AuthenticatorFlags = .userPresent
        if isVerified { flags.insert(.userVerified) }
        let data = AuthenticatorDataWriter(
            rpIdHash: credential.rpIdHash, flags: flags, signCount: try nextSignCount(),
            aaguid: configuration.aaguid, credential: credential, extensions: outputs.cbor
        ).bytes
        var response = try attest(
            data, request, credential, attestsEnterprise: attestsEnterprise)
        response.largeBlobKey = credential.discoverable?.largeBlobKey
        return response
    }

    private func outputs(
        _ request: MakeCredentialRequest, _ credential: AuthenticatorCredential,
        isVerified: Bool, _ secrets: SaltedSecrets?
    ) throws(CTAPStatus) -> MakeCredentialExtensionOutputs {
        var outputs = MakeCredentialExtensionOutputs()
        guard let inputs = request.extensions else { return outputs }
        if inputs.credProtect != nil { outputs.credProtect = credential.protection.rawValue }
        if let blob = inputs.credBlob {
            outputs.credBlob = credential.discoverable.map { $0.blob == blob } ?? false
        }
        if inputs.minPinLength == true, state.minimumPINLengthRPIDs.contains(request.rp.id) {
            outputs.minPinLength = state.minimumPINLength
        }
        if inputs.hmacSecret == true { outputs.hmacSecret = true }
        if inputs.thirdPartyPayment == true { outputs.thirdPartyPayment = true }
        if let secrets {
            outputs.hmacSecretMC = try saltedOutput(
                secrets, of: credential.id, verified: isVerified)
        }
        return outputs
    }

    /// The salts of hmac-secret-mc, which is good only beside hmac-secret (CTAP 2.2 section 12.8).
    private func newSecrets(
        _ request: MakeCredentialRequest
    ) throws(CTAPStatus) -> SaltedSecrets? {
        guard let input = request.extensions?.hmacSecretMC,
            request.extensions?.hmacSecret == true
        else { return nil }
        return try salts(of: input)
    }

    /// The counter of the next signature, durable before the signature exists.
    func nextSignCount() throws(CTAPStatus) -> UInt32 {
        if configuration.misbehaviour.contains(.frozenCounter) { return 1 }
        try commit { $0.signCount = $0.signCount == .max ? .max : $0.signCount + 1 }
        return state.signCount
    }
}
