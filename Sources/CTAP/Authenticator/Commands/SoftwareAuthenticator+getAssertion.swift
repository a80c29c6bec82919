// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives
import WebAuthn

/// `authenticatorGetAssertion` and `authenticatorGetNextAssertion` (CTAP 2.1 sections 6.2.2, 6.3).
extension SoftwareAuthenticator {
    func getAssertion(
        _ request: GetAssertionRequest
    ) async throws(CTAPStatus) -> GetAssertionResponse {
        if request.pinUvAuthParam?.isEmpty == true { try await answerProbe() }
        if request.pinUvAuthParam != nil { _ = try pinProtocol(request.pinUvAuthProtocol) }
        if request.options?.rk != nil { throw .unsupportedOption }
        let wantsPresence = request.options?.up ?? true
        if (request.allowList?.count ?? 0) > configuration.maximumCredentialCountInList {
            throw .limitExceeded
        }
        let operation = GesturePrompt.Operation.getAssertion(rpId: request.rpId)
        let verification = try await verifyPerson(
            verification(of: request, operation, wantsPresence: wantsPresence))
        let isVerified = verification.isVerified
        var found = try applicable(request, isVerified: isVerified)
        // The salts are judged before the person is bothered; without presence there are none.
        let secrets = try checkedSalts(request, wantsPresence: wantsPresence)
        if wantsPresence, !showsPresence(verification) { try await confirmPresence(operation) }
        if wantsPresence, verification == .byToken { spendToken() }
        let flags = AuthenticatorSession.AssertionFlags(
            present: wantsPresence, verified: isVerified)
        let (first, total) = (found.removeFirst(), found.count + 1)
        var response = try assertion(
            request, first, flags, secrets, showsAccount: isVerified && total > 1)
        if total > 1 {
            response.numberOfCredentials = total
            session.assertions = AuthenticatorSession.Assertions(
                request: request, remaining: found, flags: flags,
                deadline: clock.now + .seconds(30))
        }
        return response
    }

    private func verification(
        of request: GetAssertionRequest, _ operation: GesturePrompt.Operation,
        wantsPresence: Bool
    ) -> VerificationRequest {
        VerificationRequest(
            parameter: request.pinUvAuthParam, pinProtocol: request.pinUvAuthProtocol,
            clientDataHash: request.clientDataHash, options: request.options,
            rpId: request.rpId, permission: .getAssertion, operation: operation,
            isRequired: state.alwaysVerifies && wantsPresence)
    }

    func getNextAssertion() throws(CTAPStatus) -> GetAssertionResponse {
        guard var pending = session.assertions, clock.now < pending.deadline,
            !pending.remaining.isEmpty
        else {
            session.assertions = nil
            throw .notAllowed
        }
        let credential = pending.remaining.removeFirst()
        pending.deadline = clock.now + .seconds(30)
        session.assertions = pending
        let secrets = try checkedSalts(pending.request, wantsPresence: pending.flags.present)
        return try assertion(
            pending.request, credential, pending.flags, secrets,
            showsAccount: pending.flags.verified)
    }

    // MARK: Finding (step 7)

    /// The credentials that may be used, newest first; at most one when there is a list.
    private func applicable(
        _ request: GetAssertionRequest, isVerified: Bool
    ) throws(CTAPStatus) -> [AuthenticatorCredential] {
        let rpIdHash = Array(SHA256.hash(data: Array(request.rpId.utf8)))
        var found: [AuthenticatorCredential]
        if let list = request.allowList, !list.isEmpty {
            found = list.compactMap { credential($0, rpIdHash: rpIdHash) }
                .filter { isVerified || $0.protection < .userVerificationRequired }
            found = Array(found.prefix(1))
        } else {
            found = state.credentials.filter { $0.rpIdHash == rpIdHash }
                .filter { isVerified || $0.protection == .userVerificationOptional }
                .sorted { ($0.discoverable?.order ?? 0) > ($1.discoverable?.order ?? 0) }
        }
        guard !found.isEmpty else { throw .noCredentials }
        return found
    }

    private func checkedSalts(
        _ request: GetAssertionRequest, wantsPresence: Bool
    ) throws(CTAPStatus) -> SaltedSecrets? {
        guard let input = request.extensions?.hmacSecret else { return nil }
        guard wantsPresence else { throw .unsupportedOption }
        return try salts(of: input)
    }

    // MARK: Answering

    private func assertion(
        _ request: GetAssertionRequest, _ credential: AuthenticatorCredential,
        _ flags: AuthenticatorSession.AssertionFlags, _ secrets: SaltedSecrets?,
        showsAccount: Bool
    ) throws(CTAPStatus) -> GetAssertionResponse {
        var outputs = GetAssertionExtensionOutputs()
        if request.extensions?.credBlob == true {
            outputs.credBlob = credential.discoverable?.blob ?? []
        }
        if let secrets {
            outputs.hmacSecret = try saltedOutput(
                secrets, of: credential.id, verified: flags.verified)
        }
        if request.extensions?.thirdPartyPayment == true {
            outputs.thirdPartyPayment = credential.thirdPartyPayment
        }
        var data = AuthenticatorDataWriter(
            rpIdHash: credential.rpIdHash, flags: [], signCount: try nextSignCount(),
            extensions: outputs.cbor)
        if flags.present { data.flags.insert(.userPresent) }
        if flags.verified { data.flags.insert(.userVerified) }
        return try signed(request, credential, data, showsAccount: showsAccount)
    }

    private func signed(
        _ request: GetAssertionRequest, _ credential: AuthenticatorCredential,
        _ writer: AuthenticatorDataWriter, showsAccount: Bool
    ) throws(CTAPStatus) -> GetAssertionResponse {
        let (data, message) = configuration.misbehaviour.spoilt(
            writer, clientDataHash: request.clientDataHash)
        var response = GetAssertionResponse(
            credential: configuration.misbehaviour.spoilt(credential.descriptor),
            authenticatorData: data,
            signature: try credential.key.sign(message, by: hardware))
        if let kept = credential.discoverable {
            // Names are for those who were verified, and only where there is something to choose.
            response.user = showsAccount ? kept.user : CTAPUser(id: kept.user.id)
            if request.extensions?.largeBlobKey == true {
                response.largeBlobKey = kept.largeBlobKey
            }
        }
        return response
    }
}
