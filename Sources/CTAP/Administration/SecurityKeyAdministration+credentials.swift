// SPDX-License-Identifier: Apache-2.0

extension SecurityKeyAdministration {
    /// The maximum number of credentials in an enumeration. A key that reports more is in error.
    private static let greatestNumber = 1024

    /// Uses the command of CTAP 2.1, or its predecessor.
    private func usesPreview() throws(SecurityKeyError) -> Bool {
        let info = try key.requireInfo()
        if info.has(option: "credMgmt") { return false }
        guard info.has(option: "credentialMgmtPreview") else {
            throw .unsupported("a list of its credentials")
        }
        return true
    }

    private func send(
        _ request: CredentialManagementRequest, _ token: PINUVAuthToken?
    ) async throws(SecurityKeyError) -> CredentialManagementResponse {
        var request = request
        if let token {
            request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
        }
        let reply = try await key.send(
            .credentialManagement(request, preview: try usesPreview()))
        return try SecurityKey.read { () throws(CTAPMessageError) in
            try CredentialManagementResponse(cbor: reply)
        }
    }

    /// Returns the number of discoverable credentials, and of those that still fit.
    package func credentialStorage() async throws(SecurityKeyError) -> CredentialStorage {
        _ = try usesPreview()
        let token = try await requiredToken(.credentialManagement, .listCredentials)
        let reply = try await send(CredentialManagementRequest(.getCredsMetadata), token)
        return CredentialStorage(
            used: reply.existingResidentCredentialsCount ?? 0,
            remaining: reply.maxPossibleRemainingResidentCredentialsCount ?? 0)
    }

    /// All discoverable credentials (CTAP 2.2 section 6.8).
    package func credentials() async throws(SecurityKeyError) -> [DiscoverableCredential] {
        _ = try usesPreview()
        let token = try await requiredToken(.credentialManagement, .listCredentials)
        var credentials: [DiscoverableCredential] = []
        for (relyingParty, hash) in try await relyingParties(token) {
            credentials += try await self.credentials(of: relyingParty, hash, token)
            guard credentials.count <= Self.greatestNumber else {
                throw .untrustworthyReply("more credentials than any key has")
            }
        }
        return credentials
    }

    private func relyingParties(
        _ token: PINUVAuthToken
    ) async throws(SecurityKeyError) -> [(name: String, hash: [UInt8])] {
        var reply: CredentialManagementResponse
        do { reply = try await send(CredentialManagementRequest(.enumerateRPsBegin), token) } catch
        {
            guard error == .noCredential else { throw error }
            return []
        }
        // Keys may also answer with zero (section 6.8.3).
        let total = reply.totalRPs ?? 0
        guard total <= Self.greatestNumber else {
            throw .untrustworthyReply("more relying parties than any key has")
        }
        var found: [(name: String, hash: [UInt8])] = []
        for number in 0..<total {
            if number > 0 {
                reply = try await send(CredentialManagementRequest(.enumerateRPsGetNextRP), nil)
            }
            guard let hash = reply.rpIDHash else {
                throw .untrustworthyReply("a relying party without a hash")
            }
            found.append((PromptText.clean(reply.rp?.id ?? "?"), hash))
        }
        return found
    }

    private func credentials(
        of relyingParty: String, _ hash: [UInt8], _ token: PINUVAuthToken
    ) async throws(SecurityKeyError) -> [DiscoverableCredential] {
        var request = CredentialManagementRequest(.enumerateCredentialsBegin)
        request.rpIDHash = hash
        var reply: CredentialManagementResponse
        do { reply = try await send(request, token) } catch {
            guard error == .noCredential else { throw error }
            return []
        }
        let total = reply.totalCredentials ?? 1
        guard total <= Self.greatestNumber else {
            throw .untrustworthyReply("more credentials than any key has")
        }
        var found: [DiscoverableCredential] = []
        for number in 0..<total {
            if number > 0 {
                reply = try await send(
                    CredentialManagementRequest(.enumerateCredentialsGetNextCredential), nil)
            }
            guard let id = reply.credentialID?.id, let user = reply.user else {
                throw .untrustworthyReply("a credential without id or user")
            }
            found.append(
                DiscoverableCredential(
                    id: id, relyingParty: relyingParty, relyingPartyIdHash: hash, user: user,
                    publicKey: reply.publicKey, credProtect: reply.credProtect,
                    largeBlobKey: reply.largeBlobKey))
        }
        return found
    }

    /// Deletes one credential, and its data on the key.
    package func delete(
        _ credential: DiscoverableCredential
    ) async throws(SecurityKeyError) {
        let operation = SecurityKeyOperation.deleteCredential(
            relyingParty: credential.relyingParty,
            account: PromptText.clean(credential.user.name ?? ""))
        _ = try usesPreview()
        let token = try await requiredToken(.credentialManagement, operation)
        var request = CredentialManagementRequest(.deleteCredential)
        request.credentialID = CTAPCredentialDescriptor(id: credential.id)
        _ = try await send(request, token)
        if credential.largeBlobKey != nil { try await setLargeBlob(nil, of: credential) }
    }

    /// Gives the account of a credential other names. The user handle must stay the same.
    package func update(
        _ credential: DiscoverableCredential, user: CTAPUser
    ) async throws(SecurityKeyError) {
        guard try !usesPreview() else { throw .unsupported("renaming of credentials") }
        let operation = SecurityKeyOperation.updateCredential(
            relyingParty: credential.relyingParty,
            account: PromptText.clean(credential.user.name ?? ""))
        let token = try await requiredToken(.credentialManagement, operation)
        var request = CredentialManagementRequest(.updateUserInformation)
        request.credentialID = CTAPCredentialDescriptor(id: credential.id)
        request.user = user
        _ = try await send(request, token)
    }
}
