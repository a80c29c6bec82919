// SPDX-License-Identifier: Apache-2.0
import CBOR
import CTAP
import Primitives
import Testing
import WebAuthn

/// Extensions from the key's side (CTAP 2.1 section 12).
@Suite struct AuthenticatorExtensionTests {
    private func id(_ response: MakeCredentialResponse) throws -> [UInt8] {
        let data = try AuthenticatorData(response.authenticatorData[...])
        return Array(try #require(data.attestedCredential).credentialId)
    }

    private func salted(
        _ key: TestKey, _ salts: [UInt8], _ number: PINProtocol
    ) async throws -> (HMACSecretInput, PINSharedSecret) {
        let (sent, secret) = try await key.agree(number)
        let encrypted = try secret.encrypt(Secret(salts), random: key.random)
        return (
            HMACSecretInput(
                keyAgreement: sent, saltEnc: encrypted, saltAuth: secret.authenticate(encrypted),
                pinUvAuthProtocol: number.rawValue), secret
        )
    }

    private func outputs(_ response: GetAssertionResponse) throws -> GetAssertionExtensionOutputs {
        let data = try AuthenticatorData(response.authenticatorData[...])
        return try GetAssertionExtensionOutputs(
            .map(try #require(data.extensions).outputs))
    }

    private func secrets(
        _ key: TestKey, _ request: GetAssertionRequest, _ salts: [UInt8],
        _ number: PINProtocol = .two
    ) async throws -> [UInt8] {
        let (input, secret) = try await salted(key, salts, number)
        var request = request
        var extensions = GetAssertionExtensions()
        extensions.hmacSecret = input
        request.extensions = extensions
        let reply = try outputs(try await key.get(request))
        return try secret.decrypt(try #require(reply.hmacSecret)).reveal()
    }

    @Test("hmac-secret depends on credential, salt and verification, not on protocol or time")
    func hmacSecret() async throws {
        let key = try TestKey()
        let request = TestKey.assertion(allow: [try id(try await key.make(TestKey.creation()))])
        let (one, two) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let first = try await secrets(key, request, one, .one)
        #expect(first.count == 32)
        #expect(try await secrets(key, request, one, .two) == first)
        let both = try await secrets(key, request, one + two)
        #expect(Array(both.prefix(32)) == first)
        #expect(Array(both.suffix(32)) != first)
        let other = TestKey.assertion(allow: [try id(try await key.make(TestKey.creation()))])
        #expect(try await secrets(key, other, one) != first)
        try await key.setPIN("1234")
        let token = try await key.token("1234", .getAssertion, rpId: "example.com")
        #expect(try await secrets(key, request.authenticated(by: token), one) != first)
    }

    @Test("hmac-secret-mc gives at creation what hmac-secret gives later")
    func hmacSecretAtCreation() async throws {
        let key = try TestKey()
        let salt = [UInt8](repeating: 7, count: 32)
        let (input, secret) = try await salted(key, salt, .two)
        var creation = TestKey.creation()
        var extensions = MakeCredentialExtensions()
        extensions.hmacSecret = true
        extensions.hmacSecretMC = input
        creation.extensions = extensions
        let made = try await key.make(creation)
        let data = try AuthenticatorData(made.authenticatorData[...])
        let reply = try MakeCredentialExtensionOutputs(.map(try #require(data.extensions).outputs))
        let early = try secret.decrypt(try #require(reply.hmacSecretMC)).reveal()
        #expect(try await secrets(key, TestKey.assertion(allow: [try id(made)]), salt) == early)
    }

    @Test("Salts that are forged, too short, or asked for without presence are refused")
    func hmacSecretRefusals() async throws {
        let key = try TestKey()
        var request = TestKey.assertion(allow: [try id(try await key.make(TestKey.creation()))])
        var (input, _) = try await salted(key, [UInt8](repeating: 1, count: 32), .two)
        input.saltAuth[0] ^= 1
        request.extensions = GetAssertionExtensions()
        request.extensions?.hmacSecret = input
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.get(request) }
        for length in [16, 48, 96] {
            let bad = try await salted(key, [UInt8](repeating: 1, count: length), .two).0
            request.extensions?.hmacSecret = bad
            await #expect(throws: CTAPStatus.invalidLength) { try await key.get(request) }
        }
        request.extensions?.hmacSecret = try await salted(key, request.clientDataHash, .two).0
        request.options = CTAPOptions(up: false)
        await #expect(throws: CTAPStatus.unsupportedOption) { try await key.get(request) }
    }

    @Test(
        "credBlob is stored only with a discoverable credential, and only up to the maximum length")
    func credBlob() async throws {
        let key = try TestKey()
        for (length, isDiscoverable, isKept) in [
            (64, true, true), (65, true, false), (10, false, false),
        ] {
            var creation = TestKey.creation(discoverable: isDiscoverable)
            var extensions = MakeCredentialExtensions()
            extensions.credBlob = [UInt8](repeating: 1, count: length)
            creation.extensions = extensions
            let made = try await key.make(creation)
            let data = try AuthenticatorData(made.authenticatorData[...])
            let reply = try MakeCredentialExtensionOutputs(
                .map(try #require(data.extensions).outputs))
            #expect(reply.credBlob == isKept)
            var request = TestKey.assertion(allow: [try id(made)])
            request.extensions = GetAssertionExtensions()
            request.extensions?.credBlob = true
            let blob = try outputs(try await key.get(request)).credBlob
            #expect(blob?.count == (isKept ? length : 0))
        }
    }

    @Test("credProtect hides a credential as its level says", arguments: [1, 2, 3] as [UInt8])
    func credProtect(_ level: UInt8) async throws {
        let key = try TestKey()
        var creation = TestKey.creation(discoverable: true)
        var extensions = MakeCredentialExtensions()
        extensions.credProtect = level
        creation.extensions = extensions
        let made = try id(try await key.make(creation))
        try await key.setPIN("1234")
        func isFound(_ request: GetAssertionRequest) async throws -> Bool {
            do {
                _ = try await key.get(request)
                return true
            } catch let status as CTAPStatus where status == .noCredentials { return false }
        }
        #expect(try await isFound(TestKey.assertion()) == (level == 1))
        #expect(try await isFound(TestKey.assertion(allow: [made])) == (level <= 2))
        let token = try await key.token("1234", .getAssertion, rpId: "example.com")
        #expect(try await isFound(TestKey.assertion().authenticated(by: token)))
    }

    @Test("A large-blob key is made when asked for, and stays the same")
    func largeBlobKey() async throws {
        let key = try TestKey()
        var creation = TestKey.creation(discoverable: true)
        var extensions = MakeCredentialExtensions()
        extensions.largeBlobKey = true
        creation.extensions = extensions
        let made = try await key.make(creation)
        #expect(made.largeBlobKey?.count == 32)
        var request = TestKey.assertion()
        #expect(try await key.get(request).largeBlobKey == nil)
        request.extensions = GetAssertionExtensions()
        request.extensions?.largeBlobKey = true
        #expect(try await key.get(request).largeBlobKey == made.largeBlobKey)
    }

    @Test("Attestation is by the credential, a certificate, or none, as configured and asked")
    func attestation() async throws {
        let own = try await TestKey().make(TestKey.creation())
        #expect(own.attestationStatement["x5c"] == nil)
        var creation = TestKey.creation()
        creation.attestationFormatsPreference = ["none"]
        #expect(try await TestKey().make(creation).format == "none")
        let silent = try TestKey { $0.attestation = .none }
        #expect(try await silent.make(TestKey.creation()).format == "none")
        let batch = try TestKey { $0.attestation = .certificate }
        let certified = try await batch.make(TestKey.creation())
        #expect(certified.attestationStatement["x5c"]?.items?.count == 1)
    }

    @Test("Enterprise attestation goes to listed relying parties, or where the platform says so")
    func enterprise() async throws {
        let key = try TestKey { $0.enterpriseRPIDs = ["example.com"] }
        var creation = TestKey.creation()
        creation.enterpriseAttestation = 1
        await #expect(throws: CTAPStatus.invalidParameter) { try await key.make(creation) }
        try await key.configure(ConfigRequest(.enableEnterpriseAttestation))
        #expect(try await key.make(creation).enterpriseAttestation == true)
        var other = TestKey.creation("example.org")
        other.enterpriseAttestation = 1
        #expect(try await key.make(other).enterpriseAttestation == nil)
        other.enterpriseAttestation = 2
        #expect(try await key.make(other).enterpriseAttestation == true)
        other.enterpriseAttestation = 3
        await #expect(throws: CTAPStatus.invalidOption) { try await key.make(other) }
    }
}
