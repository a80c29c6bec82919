// SPDX-License-Identifier: Apache-2.0
import CBOR
import CTAP
import JOSE
import Primitives
import Support
import Synchronization
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

    @Test("a required verification sets a PIN where there is none, and then asks for it")
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

    @Test("Attack 37: wrong PINs are said with the tries left, three in a row need a re-insert")
    func wrongPINs() async throws {
        let person = TestPerson(pins: ["wrong1", "wrong2", "wrong3", "wrong4"])
        let fixture = try ClientFixture(person: person)
        try await fixture.open().setPIN("123456", random: SeededRandom())
        var options = ClientFixture.creation()
        options.userVerification = .required
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await fixture.client.register(options, caller: ClientFixture.caller)
        }
        #expect(error == .mustBeReinserted)
        #expect(person.log.pinRequests.map(\.triesLeft) == [8, 7, 6])
        #expect(
            person.log.pinRequests.map(\.problem)
                == [nil, .wrongPIN(triesLeft: 7), .wrongPIN(triesLeft: 6)])
    }

    @Test("Attack 37: a PIN without tries left is blocked, and the key is not asked again")
    func blockedPIN() async throws {
        let wrong = (0..<8).map { "wrong\($0)" }
        let person = TestPerson(pins: wrong)
        let fixture = try ClientFixture(person: person)
        try await fixture.open().setPIN("123456", random: SeededRandom())
        var options = ClientFixture.creation()
        options.userVerification = .required
        var errors: [SecurityKeyError?] = []
        for _ in 0..<4 {
            errors.append(
                await ClientFixture.failure { () throws(SecurityKeyError) in
                    try await fixture.client.register(options, caller: ClientFixture.caller)
                })
            await fixture.key.powerCycle()
        }
        #expect(errors == [.mustBeReinserted, .mustBeReinserted, .pinBlocked, .pinBlocked])
        #expect(person.log.pinRequests.count == 8)
    }

    @Test(
        "Attack 37: a PIN of 64 bytes is refused before it is sent, one of another form is the same"
    )
    func pinForms() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["caf\u{E9}s"]))
        let key = try await fixture.open()
        let long = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await key.setPIN(String(repeating: "x", count: 64), random: SeededRandom())
        }
        #expect(long == .pinTooLong)
        // Decomposed when it is set, composed when it is entered.
        try await key.setPIN("cafe\u{301}s", random: SeededRandom())
        var options = ClientFixture.creation()
        options.userVerification = .required
        _ = try await fixture.client.register(options, caller: ClientFixture.caller)
    }

    @Test("Attack 37: protocol two is used whatever the key lists first")
    func protocolOrder() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["123456"])) { request, reply in
            guard case .getInfo = request, reply.first == 0,
                var info = try? AuthenticatorInfo(cbor: Array(reply.dropFirst()))
            else { return reply }
            info.pinUvAuthProtocols = [1, 2]
            return [0] + info.encode()
        }
        try await fixture.open().setPIN("123456", random: SeededRandom())
        let protocols = fixture.transport.requests.compactMap { request in
            if case .clientPIN(let pin) = request { pin.pinUvAuthProtocol } else { nil }
        }
        #expect(!protocols.isEmpty && protocols.allSatisfy { $0 == 2 })
    }

    @Test("Attack 37: a token is asked for with one permission and one relying party")
    func permissions() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["123456", "123456"]))
        try await fixture.open().setPIN("123456", random: SeededRandom())
        var options = ClientFixture.creation()
        options.userVerification = .required
        _ = try await fixture.client.register(options, caller: ClientFixture.caller)
        let tokens = fixture.transport.requests.compactMap { request -> ClientPINRequest? in
            guard case .clientPIN(let pin) = request, pin.permissions != nil else { return nil }
            return pin
        }
        #expect(tokens.map(\.permissions) == [PINPermissions.makeCredential.rawValue])
        #expect(tokens.map(\.rpId) == ["example.org"])
    }

    @Test("Attack 37: a key-agreement key off the curve is refused before a PIN is sent")
    func offCurve() async throws {
        var configuration = AuthenticatorConfiguration()
        configuration.misbehaviour = [.keyAgreementOffCurve]
        let fixture = try ClientFixture(configuration)
        let key = try await fixture.open()
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await key.setPIN("123456", random: SeededRandom())
        }
        #expect(error == .untrustworthyReply("a key-agreement key that is no point"))
        #expect(fixture.transport.requests.count == 2)
    }

    @Test("whoever gives up at the PIN has cancelled")
    func noPIN() async throws {
        let fixture = try ClientFixture()
        try await fixture.open().setPIN("123456", random: SeededRandom())
        var options = ClientFixture.creation()
        options.userVerification = .required
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await fixture.client.register(options, caller: ClientFixture.caller)
        }
        #expect(error == .cancelled)
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

    @Test("long lists are asked for silently, in portions that the key takes")
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

    @Test("Attack 40: that a key has no credential is told after a touch only")
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

    @Test("the prf extension gives the same outputs at registration and at every sign-in")
    func prf() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["1234", "1234", "1234"]))
        try await fixture.open().setPIN("1234", random: SeededRandom())
        var options = ClientFixture.creation()
        let values = PRFRequest.Values(first: [1], second: [2, 3])
        options.extensions.prf = PRFRequest(eval: values)
        let registration = try await fixture.client.register(
            options, caller: ClientFixture.caller)
        let made = try #require(registration.clientExtensionResults["prf"])
        #expect(made["enabled"] == true)
        var request = ClientFixture.request()
        request.allowCredentials = [CTAPCredentialDescriptor(id: registration.credentialId)]
        request.extensions.prf = PRFRequest(eval: values)
        let first = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(first.clientExtensionResults["prf"]?["results"] == made["results"])
        request.extensions.prf = PRFRequest(
            eval: PRFRequest.Values(first: [9]),
            evalByCredential: [registration.credentialId: PRFRequest.Values(first: [2, 3])])
        let second = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        let results = second.clientExtensionResults["prf"]?["results"]
        #expect(results?["first"] == made["results"]?["second"])
        #expect(results?["second"] == nil)
    }

    @Test("data beside a credential are written, read, and bounded")
    func largeBlob() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["1234", "1234", "1234", "1234"]))
        try await fixture.open().setPIN("1234", random: SeededRandom())
        var options = ClientFixture.creation()
        options.residentKey = .required
        options.extensions.largeBlob = .required
        let registration = try await fixture.client.register(
            options, caller: ClientFixture.caller)
        #expect(registration.clientExtensionResults["largeBlob"] == ["supported": true])
        var request = ClientFixture.request()
        request.allowCredentials = [CTAPCredentialDescriptor(id: registration.credentialId)]
        let blob = Array("some data, some data, some data".utf8)
        request.extensions.largeBlob = .write(blob)
        let write = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(write.clientExtensionResults["largeBlob"] == ["written": true])
        request.extensions.largeBlob = .read
        let read = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(
            read.clientExtensionResults["largeBlob"]
                == ["blob": .string(Base64URL.encode(blob))])
        request.extensions.largeBlob = .write(SeededRandom().bytes(8000))
        let tooMuch = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(tooMuch.clientExtensionResults["largeBlob"] == ["written": false])
    }

    @Test("credProtect, credBlob and credProps come back as they were asked for")
    func smallExtensions() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["1234", "1234"]))
        try await fixture.open().setPIN("1234", random: SeededRandom())
        var options = ClientFixture.creation()
        options.residentKey = .required
        options.extensions.credProps = true
        options.extensions.credentialProtection = .required
        options.extensions.enforceCredentialProtection = true
        options.extensions.credBlob = [1, 2, 3]
        options.extensions.hmacCreateSecret = true
        let registration = try await fixture.client.register(
            options, caller: ClientFixture.caller)
        let results = registration.clientExtensionResults
        #expect(results["credProps"] == ["rk": true])
        #expect(results["credBlob"] == true)
        #expect(results["hmacCreateSecret"] == true)
        var request = ClientFixture.request()
        request.extensions.getCredBlob = true
        let assertion = try await fixture.client.signIn(request, caller: ClientFixture.caller)
        #expect(assertion.clientExtensionResults["getCredBlob"] == "AQID")
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

/// Counts touches.
final class TouchCounter: Sendable {
    private let value = Mutex(0)

    var total: Int { value.withLock { $0 } }
    func count() { value.withLock { $0 += 1 } }
}
