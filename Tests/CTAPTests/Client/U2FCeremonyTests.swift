// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import JOSE
import Support
import Synchronization
import Testing
import WebAuthn

/// A U2F key in a few lines: one P-256 key per handle, touched at the n-th time of asking.
private final class TinyU2FKey: Sendable {
    struct State {
        var keys: [[UInt8]: (key: P256.Signing.PrivateKey, application: [UInt8])] = [:]
        var counter: UInt32 = 0
        var asked = 0
    }

    let state = Mutex(State())
    private let touchedAfter: Int

    init(touchedAfter: Int = 2) { self.touchedAfter = touchedAfter }

    var transport: TestTransport {
        TestTransport(speaksCTAP2: false, speaksU2F: true) { [self] message in
            guard case .u2f(let bytes) = message, let apdu = CommandAPDU(bytes) else {
                return .failure(.closed)
            }
            do throws(U2FRefusal) {
                let data = try answer(try U2FRequest(apdu))
                return .success(ResponseAPDU(data: data, status: .ok).bytes)
            } catch { return .success(ResponseAPDU(status: error.status).bytes) }
        }
    }

    private func waitForTouch() throws(U2FRefusal) {
        let asked = state.withLock { state in
            state.asked += 1
            return state.asked
        }
        guard asked % (touchedAfter + 1) == touchedAfter else {
            throw U2FRefusal(.conditionsNotSatisfied)
        }
    }

    private func answer(_ request: U2FRequest) throws(U2FRefusal) -> [UInt8] {
        switch request {
        case .version: return Array("U2F_V2".utf8)
        case .register(let challenge, let application):
            try waitForTouch()
            return try register(challenge, application)
        case .authenticate(let control, let challenge, let application, let handle):
            let found = state.withLock { $0.keys[handle] }
            guard let found, found.application == application else {
                throw U2FRefusal(.wrongData)
            }
            if control == .checkOnly { throw U2FRefusal(.conditionsNotSatisfied) }
            try waitForTouch()
            let counter = state.withLock { state in
                state.counter += 1
                return state.counter
            }
            var assertion = U2FAssertion(userPresence: 1, counter: counter, signature: [])
            assertion.signature = try sign(
                application + [1] + assertion.counterBytes + challenge, found.key)
            return assertion.bytes
        }
    }

    private func register(
        _ challenge: [UInt8], _ application: [UInt8]
    ) throws(U2FRefusal) -> [UInt8] {
        let key = P256.Signing.PrivateKey()
        let handle = Array(key.publicKey.rawRepresentation)
        state.withLock { $0.keys[handle] = (key, application) }
        let point = Array(key.publicKey.x963Representation)
        let signature = try sign([0] + application + challenge + handle + point, key)
        return U2FRegistration(
            publicKey: point, keyHandle: handle, certificate: [0x30, 0x03, 0x02, 0x01, 0x01],
            signature: signature
        ).bytes
    }

    private func sign(
        _ message: [UInt8], _ key: P256.Signing.PrivateKey
    ) throws(U2FRefusal) -> [UInt8] {
        guard let signature = try? key.signature(for: message) else { throw U2FRefusal(.unknown) }
        return Array(signature.derRepresentation)
    }
}

@Suite struct U2FCeremonyTests {
    private let party = RelyingParty(id: "example.org", origins: ["https://login.example.org"])

    private func client(
        _ transport: TestTransport, _ person: TestPerson = TestPerson()
    ) -> SecurityKeyClient {
        SecurityKeyClient(
            source: FixedAuthenticators([TestDevice("key", transport)]), interaction: person,
            random: SeededRandom(), delay: TestDelay())
    }

    @Test("a U2F key is registered and signs in, as our relying party sees it")
    func registerAndSignIn() async throws {
        let key = TinyU2FKey()
        let client = client(key.transport)
        var options = ClientFixture.creation()
        options.extensions.credProps = true
        let registration = try await client.register(options, caller: ClientFixture.caller)
        #expect(registration.clientExtensionResults["credProps"] == ["rk": false])
        let verified = try await party.verify(
            registration: try UnverifiedRegistration(json: registration.json),
            expecting: RegistrationExpectation(
                challenge: ClientFixture.challenge, userVerification: .preferred,
                now: ManualClock().now)
        ).get()
        var request = ClientFixture.request()
        request.allowCredentials = [
            CTAPCredentialDescriptor(id: [1, 2, 3]),
            CTAPCredentialDescriptor(id: registration.credentialId),
        ]
        let assertion = try await client.signIn(request, caller: ClientFixture.caller)
        let result = try party.verify(
            assertion: try UnverifiedAssertion(json: assertion.json),
            for: StoredCredential(
                id: verified.credentialId, publicKey: verified.publicKey,
                signCount: verified.signCount),
            expecting: AssertionExpectation(
                challenge: ClientFixture.challenge, userVerification: .preferred)
        ).get()
        #expect(!result.isUserVerified)
    }

    @Test("direct attestation of a U2F key has its own format, with a zero AAGUID")
    func attestation() async throws {
        var options = ClientFixture.creation()
        options.attestation = .direct
        let registration = try await client(TinyU2FKey().transport).register(
            options, caller: ClientFixture.caller)
        let object = try AttestationObject(cbor: registration.attestationObject)
        #expect(object.format == "fido-u2f")
        #expect(object.authenticatorData.attestedCredential?.aaguid.isZero == true)
        #expect(object.authenticatorData.flags.rawValue == 0x41)
    }

    @Test("a registered U2F key is distinguished from others, after a touch")
    func excluded() async throws {
        let key = TinyU2FKey()
        let first = try await client(key.transport).register(
            ClientFixture.creation(), caller: ClientFixture.caller)
        var options = ClientFixture.creation()
        options.excludeCredentials = [
            CTAPCredentialDescriptor(id: [UInt8](repeating: 0, count: 300)),
            CTAPCredentialDescriptor(id: first.credentialId),
        ]
        let asked = key.state.withLock { $0.asked }
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await client(key.transport).register(options, caller: ClientFixture.caller)
        }
        #expect(error == .alreadyRegistered)
        #expect(key.state.withLock { $0.asked } > asked)
    }

    @Test("Attack 40: that a U2F key has no credential is reported after a touch only")
    func noCredential() async throws {
        let key = TinyU2FKey()
        var request = ClientFixture.request()
        request.allowCredentials = [CTAPCredentialDescriptor(id: [1])]
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await client(key.transport).signIn(request, caller: ClientFixture.caller)
        }
        #expect(error == .noCredential)
        #expect(key.state.withLock { $0.asked } == 2)
    }

    @Test("an AppID finds the credentials of before WebAuthn, and only its own site may name it")
    func appId() async throws {
        let key = TinyU2FKey()
        let application = Array(SHA256.hash(data: Array("https://example.org/app".utf8)))
        let handle = [UInt8](repeating: 7, count: 64)
        key.state.withLock { $0.keys[handle] = (P256.Signing.PrivateKey(), application) }
        var request = ClientFixture.request()
        request.allowCredentials = [CTAPCredentialDescriptor(id: handle)]
        request.extensions.appId = "https://example.org/app"
        let assertion = try await client(key.transport).signIn(
            request, caller: ClientFixture.caller)
        #expect(assertion.usedAppId)
        #expect(assertion.clientExtensionResults["appid"] == true)
        #expect(Array(assertion.authenticatorData.prefix(32)) == application)
        for foreign in ["https://example.com/app", "http://example.org/app", "https://org/"] {
            request.extensions.appId = foreign
            let error = await ClientFixture.failure { () throws(SecurityKeyError) in
                try await client(key.transport).signIn(request, caller: ClientFixture.caller)
            }
            #expect(
                error == .relyingPartyNotAllowed(.originOutsideID)
                    || error == .malformedOptions("options.extensions.appid"))
        }
    }

    @Test("what U2F cannot do is refused before the key is asked")
    func unsupported() async throws {
        let transport = TinyU2FKey().transport
        let client = client(transport)
        var demands: [(RegistrationOptions, SecurityKeyError)] = []
        var options = ClientFixture.creation()
        options.algorithms = [-257]
        demands.append((options, .unsupportedAlgorithm))
        options = ClientFixture.creation()
        options.residentKey = .required
        demands.append(
            (options, .unsupported("storage for discoverable credentials")))
        options = ClientFixture.creation()
        options.userVerification = .required
        demands.append((options, .verificationUnavailable))
        options = ClientFixture.creation()
        options.extensions.largeBlob = .required
        demands.append((options, .unsupported("storage for large blobs")))
        options = ClientFixture.creation()
        options.extensions.credentialProtection = .required
        options.extensions.enforceCredentialProtection = true
        demands.append((options, .unsupported("protection of credentials")))
        for (options, told) in demands {
            let error = await ClientFixture.failure { () throws(SecurityKeyError) in
                try await client.register(options, caller: ClientFixture.caller)
            }
            #expect(error == told)
        }
        #expect(transport.log.messages.isEmpty)
        var request = ClientFixture.request()
        request.userVerification = .required
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await client.signIn(request, caller: ClientFixture.caller)
        }
        #expect(error == .verificationUnavailable)
    }

    @Test("Attack 34: a U2F key that is never touched, or answers nonsense, fails in time")
    func nonsense() async throws {
        func failure(_ reply: [UInt8]) async -> SecurityKeyError? {
            let transport = TestTransport(speaksCTAP2: false, speaksU2F: true) { _ in
                .success(reply)
            }
            return await ClientFixture.failure { () throws(SecurityKeyError) in
                try await client(transport).register(
                    ClientFixture.creation(), caller: ClientFixture.caller)
            }
        }
        #expect(await failure([0x69, 0x85]) == .touchTimedOut)
        #expect(await failure([0x90, 0x00]) == .untrustworthyReply("a malformed U2F registration"))
        #expect(await failure([0x90]) == .untrustworthyReply("a U2F reply without a status word"))
        #expect(await failure([0x6F, 0x00]) == .untrustworthyReply("status word 6F00"))
        #expect(await failure([0x6D, 0x00]) == .unsupported("this command"))
    }
}
