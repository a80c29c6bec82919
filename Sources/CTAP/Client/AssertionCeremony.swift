// SPDX-License-Identifier: Apache-2.0
import Primitives
import WebAuthn

/// One sign-in on one CTAP2 key (WebAuthn section 5.1.4.2, CTAP 2.2 section 6.2).
struct AssertionCeremony: Sendable {
    let key: SecurityKey
    let info: AuthenticatorInfo
    let options: AssertionOptions
    let scope: CeremonyScope
    let operation: SecurityKeyOperation
    let interaction: any SecurityKeyInteraction
    let random: any RandomSource
    let delay: any Delay

    /// More discoverable credentials for one relying party than any key can hold.
    private static let greatestNumber = 512

    private var userVerification: UserVerification {
        UserVerification(key: key, interaction: interaction, random: random)
    }

    func run() async throws(SecurityKeyError) -> SecurityKeyAssertion {
        var verification = try await verificationForStart()
        let (allowList, rpId) = try await allowList(verification)
        var request = GetAssertionRequest(rpId: rpId, clientDataHash: scope.clientDataHash)
        request.allowList = allowList
        let inputs = try await AssertionInputs(
            self, allowList: allowList, verified: verification.isVerifying)
        request.extensions = inputs.extensions
        let first: GetAssertionResponse
        do { first = try await send(request, verification) } catch {
            guard error == .pinRequired, !verification.isVerifying else { throw error }
            verification = try await verify()
            first = try await send(request, verification)
        }
        let replies = try await all(first, request, verification)
        let reply = try await choose(replies)
        let results = try await inputs.results(
            reply, AssertionLargeBlob(self, verification.token), usedAppId: rpId == appId)
        return SecurityKeyAssertion(
            credentialId: reply.credentialId, clientDataJSON: scope.clientDataJSON,
            authenticatorData: reply.response.authenticatorData,
            signature: reply.response.signature, userHandle: reply.response.user?.id,
            usedAppId: rpId == appId, clientExtensionResults: results)
    }

    private var appId: String? { options.extensions.appId }

    // MARK: Before

    private func verificationForStart() async throws(SecurityKeyError) -> CeremonyVerification {
        let wantsPRF =
            options.extensions.prf?.needsVerification == true
            && info.has(extension: "hmac-secret") && info.canVerify
        guard
            wantsPRF
                || CeremonyVerification.isNeeded(
                    options.userVerification, info, keyNeedsIt: info.has(option: "alwaysUv"))
        else { return .none }
        // A credential cannot be proved by a PIN that is made up on the way.
        guard info.canVerify else {
            guard options.userVerification == .required else { return .none }
            throw .verificationUnavailable
        }
        return try await verify()
    }

    private func verify() async throws(SecurityKeyError) -> CeremonyVerification {
        // The second permission outlives the signature (CTAP 2.2 section 6.5.2.1).
        var permissions = PINPermissions.getAssertion
        if case .write = options.extensions.largeBlob, info.has(option: "largeBlobs") {
            permissions.insert(.largeBlobWrite)
        }
        return try await .obtain(permissions, scope: scope, operation, with: userVerification)
    }

    /// Returns the allow list to send, and the RP ID; `nil` requests discoverable credentials.
    private func allowList(
        _ verification: CeremonyVerification
    ) async throws(SecurityKeyError) -> ([CTAPCredentialDescriptor]?, String) {
        guard !options.allowCredentials.isEmpty else { return (nil, scope.relyingPartyId) }
        let preflight = Preflight(key: key, info: info, token: verification.token)
        let possible = preflight.possible(options.allowCredentials)
        let mustKnow = appId != nil || options.extensions.prf?.evalByCredential.isEmpty == false
        if !mustKnow, !possible.isEmpty, possible.count <= preflight.portion {
            return (possible.map { CTAPCredentialDescriptor(id: $0.id) }, scope.relyingPartyId)
        }
        for rpId in [scope.relyingPartyId, appId].compactMap({ $0 }) {
            if let found = try await preflight.find(possible, rpId: rpId) {
                return ([CTAPCredentialDescriptor(id: found.id)], rpId)
            }
        }
        // Without a touch the relying party must not learn that the credential is absent.
        await interaction.show(.touch(key.description, operation))
        try await key.waitForTouch(delay: delay)
        throw .noCredential
    }

    private func send(
        _ request: GetAssertionRequest, _ verification: CeremonyVerification
    ) async throws(SecurityKeyError) -> GetAssertionResponse {
        var request = request
        if let token = verification.token {
            request.pinUvAuthParam = token.authenticate(request.clientDataHash)
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
        } else if verification.usesOption {
            request.options = CTAPOptions(uv: true)
        }
        await interaction.show(
            verification.usesOption
                ? .verify(key.description, operation) : .touch(key.description, operation))
        let reply = try await key.send(.getAssertion(request), limit: SecurityKey.gestureLimit)
        return try Self.read(reply)
    }

    private static func read(_ reply: [UInt8]) throws(SecurityKeyError) -> GetAssertionResponse {
        try SecurityKey.read { () throws(CTAPMessageError) in
            try GetAssertionResponse(cbor: reply)
        }
    }

    // MARK: After

    /// All assertions that the key has to offer.
    private func all(
        _ first: GetAssertionResponse, _ request: GetAssertionRequest,
        _ verification: CeremonyVerification
    ) async throws(SecurityKeyError) -> [AssertionReply] {
        let hash = CeremonyScope.hash(request.rpId)
        func check(_ response: GetAssertionResponse) throws(SecurityKeyError) -> AssertionReply {
            try AssertionReply(
                response, allowList: request.allowList, relyingPartyIdHash: hash,
                mustBeVerified: verification.isVerifying)
        }
        var replies = [try check(first)]
        let number = first.numberOfCredentials ?? 1
        guard number <= Self.greatestNumber else {
            throw .untrustworthyReply("more credentials than any key has")
        }
        // With an allow list there is nothing to choose (CTAP 2.2 section 6.2.2 step 11).
        guard request.allowList == nil, first.userSelected != true, number > 1 else {
            return replies
        }
        for _ in 1..<number {
            let reply = try check(try Self.read(try await key.send(.getNextAssertion)))
            guard !replies.contains(where: { $0.credentialId == reply.credentialId }) else {
                throw .untrustworthyReply("the same credential twice")
            }
            replies.append(reply)
        }
        return replies
    }

    private func choose(
        _ replies: [AssertionReply]
    ) async throws(SecurityKeyError) -> AssertionReply {
        guard let first = replies.first else { throw .noCredential }
        guard replies.count > 1 else { return first }
        let accounts = replies.map(\.account)
        guard let choice = await interaction.chooseAccount(accounts) else { throw .cancelled }
        guard let index = accounts.firstIndex(of: choice) else { throw .cancelled }
        return replies[index]
    }
}
