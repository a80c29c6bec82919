// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Testing

/// `authenticatorCredentialManagement` from the key's side.
@Suite struct AuthenticatorCredentialManagementTests {
    private func hash(_ rpId: String) -> [UInt8] { Array(SHA256.hash(data: Array(rpId.utf8))) }

    private func listing(_ rpId: String) -> CredentialManagementRequest {
        var request = CredentialManagementRequest(.enumerateCredentialsBegin)
        request.rpIDHash = hash(rpId)
        return request
    }

    @Test("Relying parties and their credentials are listed")
    func lists() async throws {
        let key = try await TestKey.filled()
        let token = try await key.token("1234", .credentialManagement)
        let first = try await key.manage(CredentialManagementRequest(.enumerateRPsBegin), token)
        #expect(first.totalRPs == 2)
        #expect(first.rpIDHash == hash("example.com"))
        let second = try await key.manage(CredentialManagementRequest(.enumerateRPsGetNextRP))
        #expect(second.rp?.id == "example.org")
        await #expect(throws: CTAPStatus.notAllowed) {
            try await key.manage(CredentialManagementRequest(.enumerateRPsGetNextRP))
        }
        #expect(try await key.manage(listing("example.com"), token).totalCredentials == 2)
        let next = CredentialManagementRequest(.enumerateCredentialsGetNextCredential)
        #expect(try await key.manage(next).user?.id == [2])
        await #expect(throws: CTAPStatus.notAllowed) { try await key.manage(next) }
    }

    @Test("Without a token, with a wrong one, or with another permission the key reveals nothing")
    func refusals() async throws {
        let key = try await TestKey.filled()
        let metadata = CredentialManagementRequest(.getCredsMetadata)
        await #expect(throws: CTAPStatus.pinRequired) { try await key.manage(metadata) }
        let other = try await key.token("1234", .getAssertion, rpId: "example.com")
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.manage(metadata, other) }
        let foreign = PINUVAuthToken(.two, random: key.random)
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.manage(metadata, foreign) }
        let token = try await key.token("1234", .credentialManagement)
        await #expect(throws: CTAPStatus.missingParameter) {
            try await key.manage(CredentialManagementRequest(.enumerateCredentialsBegin), token)
        }
        await #expect(throws: CTAPStatus.noCredentials) {
            try await key.manage(listing("example.net"), token)
        }
    }

    @Test("A token that is bound to a relying party sees that one only")
    func bound() async throws {
        let key = try await TestKey.filled()
        let token = try await key.token("1234", .credentialManagement, rpId: "example.org")
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.manage(CredentialManagementRequest(.getCredsMetadata), token)
        }
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.manage(listing("example.com"), token)
        }
        #expect(try await key.manage(listing("example.org"), token).totalCredentials == 1)
    }

    @Test("A credential is deleted and renamed, the user id stays")
    func changes() async throws {
        let key = try await TestKey.filled()
        let token = try await key.token("1234", .credentialManagement)
        let found = try await key.manage(listing("example.org"), token)
        var update = CredentialManagementRequest(.updateUserInformation)
        update.credentialID = found.credentialID
        update.user = CTAPUser(id: [3], name: "renamed")
        _ = try await key.manage(update, token)
        #expect(try await key.manage(listing("example.org"), token).user?.name == "renamed")
        update.user = CTAPUser(id: [4], name: "another person")
        await #expect(throws: CTAPStatus.invalidParameter) { try await key.manage(update, token) }
        var deletion = CredentialManagementRequest(.deleteCredential)
        await #expect(throws: CTAPStatus.missingParameter) {
            try await key.manage(deletion, token)
        }
        deletion.credentialID = found.credentialID
        _ = try await key.manage(deletion, token)
        await #expect(throws: CTAPStatus.noCredentials) { try await key.manage(deletion, token) }
        await #expect(throws: CTAPStatus.noCredentials) {
            try await key.get(TestKey.assertion("example.org"))
        }
    }

    @Test("A persistent token reads after a power cycle, and changes nothing")
    func persistent() async throws {
        let key = try await TestKey.filled()
        let token = try await key.token("1234", .persistentCredentialManagementReadOnly)
        await key.key.powerCycle()
        let metadata = CredentialManagementRequest(.getCredsMetadata)
        #expect(try await key.manage(metadata, token).existingResidentCredentialsCount == 3)
        var deletion = CredentialManagementRequest(.deleteCredential)
        deletion.credentialID = try await key.manage(listing("example.org"), token).credentialID
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.manage(deletion, token)
        }
        try await key.changePIN(from: "1234", to: "4321")
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.manage(metadata, token) }
    }

    @Test("The commands of before CTAP 2.1 are known, or not, as configured")
    func preview() async throws {
        let request = CTAPRequest.credentialManagement(
            CredentialManagementRequest(.getCredsMetadata), preview: true)
        let key = try TestKey()
        await #expect(throws: CTAPStatus.pinRequired) { try await key.send(request) }
        let modern = try TestKey { $0.knowsPreviewCommands = false }
        await #expect(throws: CTAPStatus.invalidCommand) { try await modern.send(request) }
    }
}
