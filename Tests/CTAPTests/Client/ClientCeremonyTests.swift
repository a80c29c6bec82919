// SPDX-License-Identifier: Apache-2.0
import CBOR
import CTAP
import JOSE
import Support
import Testing
import WebAuthn

/// The client with the software key before it and our relying party behind it.
@Suite struct ClientCeremonyTests {
    private let party = RelyingParty(
        id: "example.org", origins: ["https://login.example.org", "https://example.org"])

    private func verified(
        _ registration: SecurityKeyRegistration,
        _ requirement: UserVerificationRequirement = .preferred
    ) async throws -> VerifiedRegistration {
        let response = try UnverifiedRegistration(json: registration.json)
        let expectation = RegistrationExpectation(
            challenge: ClientFixture.challenge, userVerification: requirement,
            extensionPolicy: ExtensionPolicy(), now: ManualClock().now)
        return try await party.verify(registration: response, expecting: expectation).get()
    }

    private func verified(
        _ assertion: SecurityKeyAssertion, _ registration: VerifiedRegistration,
        _ requirement: UserVerificationRequirement = .preferred
    ) throws -> VerifiedAssertion {
        let stored = StoredCredential(
            id: registration.credentialId, publicKey: registration.publicKey,
            signCount: registration.signCount)
        return try party.verify(
            assertion: try UnverifiedAssertion(json: assertion.json), for: stored,
            expecting: AssertionExpectation(
                challenge: ClientFixture.challenge, userVerification: requirement)
        ).get()
    }

    @Test("a key is registered and signs in, as our relying party sees it")
    func registerAndSignIn() async throws {
        let fixture = try ClientFixture()
        let registration = try await fixture.client.register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        let credential = try await verified(registration)
        #expect(credential.format == "packed" || credential.format == "none")
        var options = ClientFixture.request()
        options.allowCredentials = [CTAPCredentialDescriptor(id: registration.credentialId)]
        let assertion = try await fixture.client.signIn(options, caller: ClientFixture.caller)
        #expect(try verified(assertion, credential).isUserVerified == false)
        #expect(fixture.person.log.finished == 2)
        #expect(
            fixture.person.log.prompts.contains(
                .touch(
                    AuthenticatorDescription(id: "key", kind: .stream, name: "key"),
                    .register(relyingParty: "example.org", account: "user1"))))
    }

    @Test("an app registers under the origin of its associated domain")
    func app() async throws {
        let fixture = try ClientFixture()
        let registration = try await fixture.client.register(
            ClientFixture.creation(), caller: .app(associatedDomains: ["example.org"]))
        _ = try await verified(registration)
        let data = try ClientData(json: registration.clientDataJSON)
        #expect(data.origin == "https://example.org")
    }

    @Test("a required verification sets a PIN if there is none, and then prompts for it")
    func firstPIN() async throws {
        let person = TestPerson(pins: ["123456", "123456"], newPINs: ["12", "123456"])
        let fixture = try ClientFixture(person: person)
        var options = ClientFixture.creation()
        options.userVerification = .required
        options.residentKey = .required
        let registration = try await fixture.client.register(
            options, caller: ClientFixture.caller)
        let credential = try await verified(registration, .required)
        #expect(credential.isUserVerified)
        #expect(person.log.newPINRequests.map(\.problem) == [nil, .pinTooShort(minimum: 4)])
        #expect(registration.json["clientExtensionResults"] == [:])

        var request = ClientFixture.request()
        request.userVerification = .required
        let assertion = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(try verified(assertion, credential, .required).isUserVerified)
        #expect(assertion.userHandle == [1])
    }

    @Test("a key that is registered already says so")
    func excluded() async throws {
        let fixture = try ClientFixture()
        let first = try await fixture.client.register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        var options = ClientFixture.creation(user: 2)
        options.excludeCredentials = [CTAPCredentialDescriptor(id: first.credentialId)]
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await fixture.client.register(options, caller: ClientFixture.caller)
        }
        #expect(error == .alreadyRegistered)
    }

    @Test("long lists are checked without a touch, in portions that the key accepts")
    func preflight() async throws {
        var configuration = AuthenticatorConfiguration()
        configuration.maximumCredentialCountInList = 3
        let fixture = try ClientFixture(configuration)
        let first = try await fixture.client.register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        let others = (0..<10).map { number in
            CTAPCredentialDescriptor(id: [UInt8](repeating: UInt8(number), count: 64))
        }
        let all = others + [CTAPCredentialDescriptor(id: first.credentialId)]
        var options = ClientFixture.creation(user: 2)
        options.excludeCredentials = all
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await fixture.client.register(options, caller: ClientFixture.caller)
        }
        #expect(error == .alreadyRegistered)
        var request = ClientFixture.request()
        request.allowCredentials = all
        let assertion = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(assertion.credentialId == first.credentialId)
        let lists = fixture.transport.requests.compactMap { request in
            if case .getAssertion(let assertion) = request { assertion.allowList } else { nil }
        }
        #expect(lists.allSatisfy { $0.count <= 3 })
        #expect(lists.count == 9)
    }

    @Test("Attack 40: that a key has no credential is reported after a touch only")
    func noOracle() async throws {
        let touches = TouchCounter()
        var configuration = AuthenticatorConfiguration()
        configuration.maximumCredentialCountInList = 1
        let fixture = try ClientFixture(
            configuration,
            gesture: AskingGesture { _ in
                touches.count()
                return .approved
            })
        var request = ClientFixture.request()
        request.allowCredentials = [
            CTAPCredentialDescriptor(id: [1]), CTAPCredentialDescriptor(id: [2]),
        ]
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await fixture.client.signIn(request, caller: ClientFixture.caller)
        }
        #expect(error == .noCredential)
        #expect(touches.total == 1)
    }

    @Test("of several accounts the person chooses one")
    func accounts() async throws {
        let person = TestPerson(pins: ["1234", "1234", "1234"], account: "user2")
        let fixture = try ClientFixture(person: person)
        try await fixture.open().setPIN("1234", random: SeededRandom())
        for user in 1...2 as ClosedRange<UInt8> {
            var options = ClientFixture.creation(user: user)
            options.residentKey = .required
            _ = try await fixture.client.register(options, caller: ClientFixture.caller)
        }
        let assertion = try await fixture.client.signIn(
            ClientFixture.request(), caller: ClientFixture.caller)
        #expect(assertion.userHandle == [2])
        #expect(person.log.accounts.first?.count == 2)
        let nobody = fixture.client(TestPerson(pins: ["1234"]))
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await nobody.signIn(ClientFixture.request(), caller: ClientFixture.caller)
        }
        #expect(error == .cancelled)
    }

    @Test("what the key cannot do is refused before it is touched")
    func unsupported() async throws {
        let fixture = try ClientFixture()
        var options = ClientFixture.creation()
        options.algorithms = [-999]
        let algorithm = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await fixture.client.register(options, caller: ClientFixture.caller)
        }
        #expect(algorithm == .unsupportedAlgorithm)
        let foreign = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await fixture.client.register(
                ClientFixture.creation(), caller: .web(origin: "https://example.com"))
        }
        #expect(foreign == .relyingPartyNotAllowed(.originOutsideID))
        #expect(fixture.transport.requests.allSatisfy { $0 == .getInfo })
    }

    @Test("attestation reaches the relying party only when it asked")
    func attestation() async throws {
        var configuration = AuthenticatorConfiguration()
        configuration.attestation = .certificate
        let fixture = try ClientFixture(configuration)
        var options = ClientFixture.creation()
        let without = try await fixture.client.register(options, caller: ClientFixture.caller)
        #expect(try AttestationObject(cbor: without.attestationObject).format == "none")
        options.attestation = .direct
        let with = try await fixture.client.register(options, caller: ClientFixture.caller)
        let object = try AttestationObject(cbor: with.attestationObject)
        #expect(object.format == "packed")
        #expect(object.statement["x5c"] != nil)
    }
}
