// SPDX-License-Identifier: Apache-2.0
import Primitives
import WebAuthn

/// One registration on one CTAP2 key (WebAuthn section 5.1.3 step 20, CTAP 2.2 section 6.1).
struct CredentialCreation: Sendable {
    let key: SecurityKey
    let info: AuthenticatorInfo
    let options: RegistrationOptions
    let scope: CeremonyScope
    let operation: SecurityKeyOperation
    let interaction: any SecurityKeyInteraction
    let random: any RandomSource
    let delay: any Delay

    private var userVerification: UserVerification {
        UserVerification(key: key, interaction: interaction, random: random)
    }

    func run() async throws(SecurityKeyError) -> SecurityKeyRegistration {
        let algorithms = try usableAlgorithms()
        let discoverable = try isDiscoverable()
        var verification = try await verificationForStart(discoverable: discoverable)
        var request = MakeCredentialRequest(
            clientDataHash: scope.clientDataHash,
            rp: CTAPRelyingParty(id: scope.relyingPartyId, name: options.relyingPartyName),
            user: options.user,
            pubKeyCredParams: algorithms.map { CTAPCredentialParameters(algorithm: $0) })
        let inputs = try await RegistrationInputs(self, verified: verification.isVerifying)
        request.extensions = inputs.extensions
        request.options = CTAPOptions(rk: discoverable ? true : nil)
        request.enterpriseAttestation = enterpriseAttestation
        if !options.attestationFormats.isEmpty, info.attestationFormats != nil {
            request.attestationFormatsPreference = options.attestationFormats
        }
        request.excludeList = try await excludeList(verification)
        let response: MakeCredentialResponse
        do { response = try await send(request, verification) } catch {
            // The key requires user verification although it did not report that.
            guard error == .pinRequired, !verification.isVerifying else { throw error }
            verification = try await verify()
            response = try await send(request, verification)
        }
        let reply = try CreationReply(
            response, request, mustBeVerified: verification.isVerifying,
            relyingPartyIdHash: scope.relyingPartyIdHash)
        return try registration(reply, inputs, discoverable: discoverable)
    }

    // MARK: Before

    private func usableAlgorithms() throws(SecurityKeyError) -> [Int64] {
        guard let known = info.algorithms?.map(\.algorithm), !known.isEmpty else {
            return options.algorithms
        }
        let usable = options.algorithms.filter(known.contains)
        guard !usable.isEmpty else { throw .unsupportedAlgorithm }
        return usable
    }

    private func isDiscoverable() throws(SecurityKeyError) -> Bool {
        switch options.residentKey {
        case .discouraged: return false
        case .preferred: return info.has(option: "rk")
        case .required:
            guard info.has(option: "rk") else {
                throw .unsupported("storage for discoverable credentials")
            }
            return true
        }
    }

    private func verificationForStart(
        discoverable: Bool
    ) async throws(SecurityKeyError) -> CeremonyVerification {
        // A protected key creates no credential without verification, unless it declares that, and
        // then only credentials that are not discoverable (CTAP 2.2 section 6.4, makeCredUvNotRqd).
        let isProtected = info.hasPIN || info.hasBuiltInVerification
        let keyNeedsIt =
            info.has(option: "alwaysUv")
            || (isProtected && (discoverable || !info.has(option: "makeCredUvNotRqd")))
        // The one PRF of a credential is that of a verified person (WebAuthn section 10.1.4).
        let wantsPRF =
            options.extensions.prf?.needsVerification == true
            && info.has(extension: "hmac-secret") && info.canVerify
        guard
            wantsPRF
                || CeremonyVerification.isNeeded(
                    options.userVerification, info, keyNeedsIt: keyNeedsIt)
        else { return .none }
        if options.userVerification != .required, !info.canVerify, !info.has(option: "alwaysUv") {
            return .none
        }
        return try await verify()
    }

    private func verify() async throws(SecurityKeyError) -> CeremonyVerification {
        // Looking for excluded credentials needs the second permission.
        let permissions: PINPermissions =
            options.excludeCredentials.isEmpty ? .makeCredential : [.makeCredential, .getAssertion]
        return try await .obtain(
            permissions, scope: scope, operation, with: userVerification)
    }

    private var enterpriseAttestation: UInt8? {
        guard options.attestation == .enterprise, info.has(option: "ep") else { return nil }
        return options.isEnterpriseRelyingParty ? 2 : 1
    }

    /// Returns the whole list if the key accepts it at once; else the one entry that the key has.
    private func excludeList(
        _ verification: CeremonyVerification
    ) async throws(SecurityKeyError) -> [CTAPCredentialDescriptor]? {
        let preflight = Preflight(key: key, info: info, token: verification.token)
        let possible = preflight.possible(options.excludeCredentials)
        guard !possible.isEmpty else { return nil }
        if let appId = options.extensions.appIdExclude,
            try await preflight.find(possible, rpId: appId) != nil
        {
            await interaction.show(.touch(key.description, operation))
            try await key.waitForTouch(delay: delay)
            throw .alreadyRegistered
        }
        if possible.count > preflight.portion {
            let found = try await preflight.find(possible, rpId: scope.relyingPartyId)
            return found.map { [CTAPCredentialDescriptor(id: $0.id)] }
        }
        return possible.map { CTAPCredentialDescriptor(id: $0.id) }
    }

    private func send(
        _ request: MakeCredentialRequest, _ verification: CeremonyVerification
    ) async throws(SecurityKeyError) -> MakeCredentialResponse {
        var request = request
        if let token = verification.token {
            request.pinUvAuthParam = token.authenticate(request.clientDataHash)
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
        } else if verification.usesOption {
            var options = request.options ?? CTAPOptions()
            options.uv = true
            request.options = options
        }
        await interaction.show(
            verification.usesOption
                ? .verify(key.description, operation) : .touch(key.description, operation))
        let reply = try await key.send(.makeCredential(request), limit: SecurityKey.gestureLimit)
        return try SecurityKey.read { () throws(CTAPMessageError) in
            try MakeCredentialResponse(cbor: reply)
        }
    }

    // MARK: After

    private func registration(
        _ reply: CreationReply, _ inputs: RegistrationInputs, discoverable: Bool
    ) throws(SecurityKeyError) -> SecurityKeyRegistration {
        let response = AttestationPrivacy.apply(options.attestation, to: reply)
        return SecurityKeyRegistration(
            credentialId: Array(reply.credential.credentialId),
            clientDataJSON: scope.clientDataJSON, attestationObject: response.attestationObject,
            authenticatorData: response.authenticatorData, algorithm: reply.algorithm,
            transports: transports,
            clientExtensionResults: try inputs.results(reply, discoverable: discoverable))
    }

    /// The transports of the key, in the values of WebAuthn.
    private var transports: [String] {
        let known = Set(["usb", "nfc", "ble", "smart-card", "hybrid", "internal"])
        var transports = (info.transports ?? []).filter(known.contains)
        if !transports.contains(key.description.transport) {
            transports.append(key.description.transport)
        }
        return Array(Set(transports)).sorted()
    }
}
