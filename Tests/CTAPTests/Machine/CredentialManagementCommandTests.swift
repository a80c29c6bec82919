// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

/// authenticatorCredentialManagement as steps of the machine. No subcommand requires a gesture.
@Suite struct CredentialManagementCommandTests {
    private func authenticated(
        _ request: CredentialManagementRequest, _ token: PINUVAuthToken
    ) -> CTAPRequest {
        var request = request
        request.pinUvAuthProtocol = 2
        request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        return .credentialManagement(request)
    }

    private func managedKey() throws -> (TestMachine, PINUVAuthToken, ids: [[UInt8]]) {
        var key = try TestMachine()
        let ids = [
            try key.create("example.com", user: 1), try key.create("example.com", user: 2),
            try key.create("example.org", user: 1),
        ]
        try key.setPIN("1234")
        let token = try key.token("1234", .credentialManagement)
        return (key, token, ids)
    }

    @Test("Relying parties and credentials are enumerated")
    func enumeration() throws {
        let (made, token, ids) = try managedKey()
        var key = made
        let parties = CredentialManagementRequest(.enumerateRPsBegin)
        let first = try CredentialManagementResponse(cbor: key.run(authenticated(parties, token)))
        #expect(first.totalRPs == 2 && first.rp?.id == "example.com")
        let next = CTAPRequest.credentialManagement(
            CredentialManagementRequest(.enumerateRPsGetNextRP))
        #expect(try CredentialManagementResponse(cbor: key.run(next)).rp?.id == "example.org")
        #expect(key.begin(next) == .status(.notAllowed))
        var credentials = CredentialManagementRequest(.enumerateCredentialsBegin)
        credentials.rpIDHash = first.rpIDHash
        let found = try CredentialManagementResponse(
            cbor: key.run(authenticated(credentials, token)))
        #expect(found.totalCredentials == 2 && found.credentialID?.id == ids[0])
    }

    @Test("Another command ends an enumeration")
    func interrupted() throws {
        let (made, token, _) = try managedKey()
        var key = made
        _ = try key.run(authenticated(CredentialManagementRequest(.enumerateRPsBegin), token))
        _ = try key.run(.getInfo)
        #expect(
            key.begin(
                .credentialManagement(CredentialManagementRequest(.enumerateRPsGetNextRP)))
                == .status(.notAllowed))
    }

    @Test("A deletion and an update are durable and change the state of the credential store")
    func changes() throws {
        let (made, token, ids) = try managedKey()
        var key = made
        let before = key.machine.state.credentialStoreState
        var request = CredentialManagementRequest(.updateUserInformation)
        request.credentialID = CTAPCredentialDescriptor(id: ids[0])
        request.user = CTAPUser(id: [1], name: "renamed")
        _ = try key.run(authenticated(request, token))
        let updated = try #require(key.store.saves.last)
        #expect(updated.credentials.first?.discoverable?.user.name == "renamed")
        #expect(updated.credentialStoreState != before)
        request.user = CTAPUser(id: [9], name: "other")
        #expect(key.begin(authenticated(request, token)) == .status(.invalidParameter))
        request = CredentialManagementRequest(.deleteCredential)
        request.credentialID = CTAPCredentialDescriptor(id: ids[0])
        _ = try key.run(authenticated(request, token))
        #expect(key.store.saves.last?.credentials.map(\.id) == Array(ids.dropFirst()))
        #expect(key.begin(authenticated(request, token)) == .status(.noCredentials))
    }

    @Test("A request without token, with another permission or another relying party is refused")
    func refusals() throws {
        let (made, _, ids) = try managedKey()
        var key = made
        let metadata = CredentialManagementRequest(.getCredsMetadata)
        #expect(key.begin(.credentialManagement(metadata)) == .status(.pinRequired))
        let other = try key.token("1234", .largeBlobWrite)
        #expect(key.begin(authenticated(metadata, other)) == .status(.pinAuthInvalid))
        let bound = try key.token("1234", .credentialManagement, rpId: "example.org")
        #expect(key.begin(authenticated(metadata, bound)) == .status(.pinAuthInvalid))
        var deletion = CredentialManagementRequest(.deleteCredential)
        deletion.credentialID = CTAPCredentialDescriptor(id: ids[0])
        #expect(key.begin(authenticated(deletion, bound)) == .status(.pinAuthInvalid))
        #expect(key.machine.state.credentials.count == 3)
        var modern = try TestMachine { $0.knowsPreviewCommands = false }
        #expect(
            modern.begin(.credentialManagement(metadata, preview: true))
                == .status(.invalidCommand))
    }

    @Test("A persistent token reads after a power cycle, and changes nothing")
    func persistentToken() throws {
        let (made, _, ids) = try managedKey()
        var key = made
        let token = try key.token("1234", .persistentCredentialManagementReadOnly)
        key.machine.powerCycle(now: key.now)
        let metadata = try CredentialManagementResponse(
            cbor: key.run(authenticated(CredentialManagementRequest(.getCredsMetadata), token)))
        #expect(metadata.existingResidentCredentialsCount == 3)
        var deletion = CredentialManagementRequest(.deleteCredential)
        deletion.credentialID = CTAPCredentialDescriptor(id: ids[0])
        #expect(key.begin(authenticated(deletion, token)) == .status(.pinAuthInvalid))
    }
}
