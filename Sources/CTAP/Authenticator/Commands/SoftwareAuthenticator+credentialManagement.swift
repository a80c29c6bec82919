// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// `authenticatorCredentialManagement` (CTAP 2.1 section 6.8).
extension SoftwareAuthenticator {
    func manageCredentials(
        _ request: CredentialManagementRequest
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        switch request.subcommand {
        case .getCredsMetadata: return try metadata(request)
        case .enumerateRPsBegin: return try firstRelyingParty(request)
        case .enumerateRPsGetNextRP: return try nextRelyingParty()
        case .enumerateCredentialsBegin: return try firstCredential(request)
        case .enumerateCredentialsGetNextCredential: return try nextCredential()
        case .deleteCredential: return try delete(request)
        case .updateUserInformation: return try update(request)
        }
    }

    // MARK: Permission

    /// Checks the token. Reading is allowed to a persistent token too (CTAP 2.2).
    ///
    /// - Parameter rpIdHash: The relying party that a bound token must be bound to; `nil` when the
    ///   request is about all of them, which a bound token may not see.
    private func checkToken(
        _ request: CredentialManagementRequest, reads: Bool, rpIdHash: [UInt8]?
    ) throws(CTAPStatus) {
        guard let parameter = request.pinUvAuthParam else { throw .pinRequired }
        let number = try pinProtocol(request.pinUvAuthProtocol)
        let message = request.authenticatedBytes
        if reads, let kept = state.persistentToken,
            let token = try? PINUVAuthToken(number, decrypted: kept),
            token.verify(message, parameter)
        {
            return
        }
        try verifyToken(
            parameter, over: message, request.pinUvAuthProtocol, permission: .credentialManagement)
        guard let bound = session.token?.rpId else { return }
        guard rpIdHash == Array(SHA256.hash(data: Array(bound.utf8))) else {
            throw .pinAuthInvalid
        }
    }

    // MARK: Reading

    private func metadata(
        _ request: CredentialManagementRequest
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        try checkToken(request, reads: true, rpIdHash: nil)
        var response = CredentialManagementResponse()
        response.existingResidentCredentialsCount = state.credentials.count
        response.maxPossibleRemainingResidentCredentialsCount = remainingCredentials
        return response
    }

    private func firstRelyingParty(
        _ request: CredentialManagementRequest
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        try checkToken(request, reads: true, rpIdHash: nil)
        var parties: [CTAPRelyingParty] = []
        for rp in state.credentials.compactMap({ $0.discoverable?.rp })
        where !parties.contains(where: { $0.id == rp.id }) {
            parties.append(rp)
        }
        guard !parties.isEmpty else { throw .noCredentials }
        session.relyingParties = parties
        var response = try nextRelyingParty()
        response.totalRPs = parties.count
        return response
    }

    private func nextRelyingParty() throws(CTAPStatus) -> CredentialManagementResponse {
        guard let rp = session.relyingParties?.first else { throw .notAllowed }
        session.relyingParties?.removeFirst()
        var response = CredentialManagementResponse()
        response.rp = rp
        response.rpIDHash = Array(SHA256.hash(data: Array(rp.id.utf8)))
        return response
    }

    private func firstCredential(
        _ request: CredentialManagementRequest
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        guard request.pinUvAuthParam != nil else { throw .pinRequired }
        guard let rpIdHash = request.rpIDHash else { throw .missingParameter }
        try checkToken(request, reads: true, rpIdHash: rpIdHash)
        let found = state.credentials.filter { $0.rpIdHash == rpIdHash }
        guard !found.isEmpty else { throw .noCredentials }
        session.credentials = found
        var response = try nextCredential()
        response.totalCredentials = found.count
        return response
    }

    private func nextCredential() throws(CTAPStatus) -> CredentialManagementResponse {
        guard let credential = session.credentials?.first else { throw .notAllowed }
        session.credentials?.removeFirst()
        var response = CredentialManagementResponse()
        response.user = credential.discoverable?.user
        response.credentialID = credential.descriptor
        response.publicKey = credential.key.publicKey
        response.credProtect = credential.protection.rawValue
        response.largeBlobKey = credential.discoverable?.largeBlobKey
        response.thirdPartyPayment = credential.thirdPartyPayment
        return response
    }

    // MARK: Changing

    /// The place of the credential that the request names, once the token is good for it.
    private func place(
        _ request: CredentialManagementRequest
    ) throws(CTAPStatus) -> Int {
        guard request.pinUvAuthParam != nil else { throw .pinRequired }
        guard let descriptor = request.credentialID else { throw .missingParameter }
        let place = state.credentials.firstIndex { $0.id == descriptor.id }
        try checkToken(
            request, reads: false, rpIdHash: place.map { state.credentials[$0].rpIdHash })
        guard let place else { throw .noCredentials }
        return place
    }

    private func delete(
        _ request: CredentialManagementRequest
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        let place = try place(request)
        let storeState = random.bytes(16)
        try commit {
            $0.credentials.remove(at: place)
            $0.credentialStoreState = storeState
        }
        return CredentialManagementResponse()
    }

    private func update(
        _ request: CredentialManagementRequest
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        guard request.pinUvAuthParam == nil || request.user != nil else {
            throw .missingParameter
        }
        let place = try place(request)
        guard let user = request.user, state.credentials[place].discoverable?.user.id == user.id
        else { throw .invalidParameter }
        let storeState = random.bytes(16)
        try commit {
            $0.credentials[place].discoverable?.user = user
            $0.credentialStoreState = storeState
        }
        return CredentialManagementResponse()
    }
}
