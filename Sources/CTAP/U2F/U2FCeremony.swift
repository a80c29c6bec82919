// SPDX-License-Identifier: Apache-2.0
import JOSE
import WebAuthn

/// The ceremonies with a key that supports only U2F (CTAP 2.2 section 7).
struct U2FCeremony: Sendable {
    let client: SecurityKeyClient
    let key: SecurityKey
    let scope: CeremonyScope
    let operation: SecurityKeyOperation

    init(
        _ client: SecurityKeyClient, _ key: SecurityKey, _ scope: CeremonyScope,
        _ operation: SecurityKeyOperation
    ) {
        self.client = client
        self.key = key
        self.scope = scope
        self.operation = operation
    }

    // MARK: Registration

    func register(
        _ options: RegistrationOptions
    ) async throws(SecurityKeyError) -> SecurityKeyRegistration {
        try checkPossible(options)
        await client.interaction.show(.touch(key.description, operation))
        try await refuseExcluded(options)
        let application = scope.relyingPartyIdHash
        let data = try await key.pollU2F(
            .register(challenge: scope.clientDataHash, application: application),
            delay: client.delay)
        guard let registration = U2FRegistration(data),
            let response = U2FMapping.response(registration, application: application)
        else { throw .untrustworthyReply("a malformed U2F registration") }
        let request = MakeCredentialRequest(
            clientDataHash: scope.clientDataHash, rp: CTAPRelyingParty(id: scope.relyingPartyId),
            user: options.user, pubKeyCredParams: [CTAPCredentialParameters(algorithm: -7)])
        let reply = try CreationReply(
            response, request, mustBeVerified: false, relyingPartyIdHash: application)
        let attested = AttestationPrivacy.apply(options.attestation, to: reply)
        return SecurityKeyRegistration(
            credentialId: registration.keyHandle, clientDataJSON: scope.clientDataJSON,
            attestationObject: attested.attestationObject,
            authenticatorData: attested.authenticatorData, algorithm: reply.algorithm,
            transports: [key.description.transport], clientExtensionResults: results(options))
    }

    private func checkPossible(_ options: RegistrationOptions) throws(SecurityKeyError) {
        guard options.algorithms.contains(COSEAlgorithm.es256.rawValue) else {
            throw .unsupportedAlgorithm
        }
        guard options.residentKey != .required else {
            throw .unsupported("storage for discoverable credentials")
        }
        guard options.userVerification != .required else { throw .verificationUnavailable }
        guard options.extensions.largeBlob != .required else {
            throw .unsupported("storage for large blobs")
        }
        let protection = options.extensions.credentialProtection ?? .optional
        guard !options.extensions.enforceCredentialProtection || protection == .optional else {
            throw .unsupported("protection of credentials")
        }
    }

    /// Checks each excluded credential. If the key has one, a touch precedes the refusal (CTAP 2.2
    /// section 7.1 step 2).
    private func refuseExcluded(_ options: RegistrationOptions) async throws(SecurityKeyError) {
        let names = [scope.relyingPartyId, options.extensions.appIdExclude].compactMap { $0 }
        for credential in options.excludeCredentials {
            for name in names where try await has(credential.id, CeremonyScope.hash(name)) {
                try await key.touchU2F(delay: client.delay)
                throw .alreadyRegistered
            }
        }
    }

    /// Extension results of a key that has no extensions.
    private func results(_ options: RegistrationOptions) -> JSONObject {
        let requested = options.extensions
        var results = JSONObject()
        if requested.credProps { results["credProps"] = ["rk": false] }
        if requested.credBlob != nil { results["credBlob"] = false }
        if requested.hmacCreateSecret { results["hmacCreateSecret"] = false }
        if requested.largeBlob != nil { results["largeBlob"] = ["supported": false] }
        if requested.prf != nil { results["prf"] = ["enabled": false] }
        return results
    }

    // MARK: Sign-in

    func signIn(
        _ options: AssertionOptions
    ) async throws(SecurityKeyError) -> SecurityKeyAssertion {
        guard options.userVerification != .required else { throw .verificationUnavailable }
        await client.interaction.show(.touch(key.description, operation))
        guard let (id, name) = try await find(options) else {
            try await key.touchU2F(delay: client.delay)
            throw .noCredential
        }
        let application = CeremonyScope.hash(name)
        let data = try await key.pollU2F(
            .authenticate(
                .enforcePresenceAndSign, challenge: scope.clientDataHash,
                application: application, keyHandle: id), delay: client.delay)
        guard let assertion = U2FAssertion(data) else {
            throw .untrustworthyReply("a malformed U2F assertion")
        }
        let response = U2FMapping.response(assertion, application: application, keyHandle: id)
        let reply = try AssertionReply(
            response, allowList: [CTAPCredentialDescriptor(id: id)],
            relyingPartyIdHash: application, mustBeVerified: false)
        let usedAppId = name == options.extensions.appId
        return SecurityKeyAssertion(
            credentialId: id, clientDataJSON: scope.clientDataJSON,
            authenticatorData: reply.response.authenticatorData,
            signature: reply.response.signature, userHandle: nil, usedAppId: usedAppId,
            clientExtensionResults: Self.results(options.extensions, usedAppId: usedAppId))
    }

    /// Returns the extension results of a key without extensions.
    private static func results(
        _ requested: AssertionExtensionInputs, usedAppId: Bool
    ) -> JSONObject {
        var results = JSONObject()
        if requested.appId != nil { results["appid"] = .bool(usedAppId) }
        if requested.prf != nil { results["prf"] = [:] }
        if case .write = requested.largeBlob { results["largeBlob"] = ["written": false] }
        return results
    }

    private func find(
        _ options: AssertionOptions
    ) async throws(SecurityKeyError) -> (id: [UInt8], name: String)? {
        let names = [scope.relyingPartyId, options.extensions.appId].compactMap { $0 }
        for credential in options.allowCredentials {
            for name in names where try await has(credential.id, CeremonyScope.hash(name)) {
                return (credential.id, name)
            }
        }
        return nil
    }

    /// Returns whether the key has this credential under this application. The key signs nothing.
    private func has(
        _ id: [UInt8], _ application: [UInt8]
    ) async throws(SecurityKeyError) -> Bool {
        guard 1...255 ~= id.count else { return false }
        let request = U2FRequest.authenticate(
            .checkOnly, challenge: [UInt8](repeating: 0, count: 32), application: application,
            keyHandle: id)
        let response = try await key.sendU2F(request)
        // Some keys answer 9000 to a check, which can only mean the same.
        return response.status == .conditionsNotSatisfied || response.status == .ok
    }
}
