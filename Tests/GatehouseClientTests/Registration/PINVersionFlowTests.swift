// SPDX-License-Identifier: Apache-2.0
import Crypto
import GatehouseClient
import GatehouseTesting
import JOSE
import PIN
import PINSupport
import PINVersion1
import Primitives
import Storage
import Testing

/// Version 2 of the PIN protocol in the SDK, and what an app of version 1 has left in the store.
@Suite("Versions of the PIN protocol") struct PINVersionFlowTests {
    private let provider: InProcessProvider
    private let wire: FaultyTransport
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let right = "24681"
    private let other = "97135"

    init() async throws {
        provider = try await InProcessProvider()
        wire = FaultyTransport(provider)
    }

    private func client(
        _ transport: (any HTTPTransport)? = nil, earlierPINs: EarlierPINs? = nil
    ) throws -> IdentityClient {
        try IdentityClient(
            configuration: provider.configuration, store: store, keys: keys,
            earlierPINs: earlierPINs, transport: transport ?? wire, time: provider.clock,
            tuning: ClientTuning(stretching: .quick))
    }

    @discardableResult
    private func register(
        _ client: IdentityClient, _ person: (any CredentialProvider)? = nil
    ) async throws -> RegistrationOutcome {
        let flow = client.registration(.credential(try person ?? provider.testKey()))
        for try await case .createPIN(let challenge) in flow {
            try challenge.respond(with: try PIN(right))
        }
        return try await flow.outcome
    }

    /// Signs in with those PINs, and gives what was left each time.
    @discardableResult
    private func signIn(
        _ client: IdentityClient, _ profile: Profile.ID, _ pins: String...
    ) async throws -> [Int?] {
        let flow = client.authenticate(profile)
        var (pins, remaining) = (pins[...], [Int?]())
        for try await case .enterPIN(let challenge) in flow {
            remaining.append(challenge.attempts?.remaining)
            guard let pin = pins.popFirst() else {
                challenge.cancel()
                continue
            }
            try challenge.respond(with: try PIN(pin))
        }
        _ = try await flow.outcome
        return remaining
    }

    private func pinRecord() async throws -> (name: RecordName, state: JSONObject) {
        let name = try #require(
            try await store.names().first { $0.description.hasPrefix("pin") })
        let bytes = try #require(try await store.read(name))
        return (name, try JSONParser.parseObject(bytes, maximumBytes: 65_536))
    }

    // MARK: Requests

    @Test("A registration with a PIN sends no commit: the sign-in is it")
    func requests() async throws {
        let client = try client()
        _ = try await client.start()
        let before = wire.count("")
        let outcome = try await register(client)
        #expect(outcome.profile.hasPIN)
        #expect(wire.count("/registration/pin") == 0)
        // The challenge, the registration, whose response has the nonce of the sign-in, and the sign-in.
        #expect(wire.count("/registration/challenge") == 1)
        #expect(wire.count("/registration/pin/challenge") == 0 && wire.count("/token") == 1)
        #expect(wire.count("") - before == 3)
        // No signed statement has confirmed the secret so far.
        #expect(try await pinRecord().state["offered"]?["rounds"] == 600_000)
        #expect(try await signIn(client, outcome.profile.id, right) == [nil])
    }

    @Test("An app that ends before its first sign-in asks for the PIN, and signs in with it")
    func endedBeforeFirstSignIn() async throws {
        for _ in 0..<2 { wire.next("/token", .requestLost) }
        let first = try client()
        _ = try? await register(first)
        #expect(try await pinRecord().state["current"] == nil)
        let again = try client()
        let profile = try #require(try await again.profiles.first)
        #expect(try await signIn(again, profile.id, other, right) == [nil, 4])
        #expect(wire.count("/registration/pin") == 0)
    }

    @Test("A PIN can be changed before the first sign-in")
    func changedBeforeFirstSignIn() async throws {
        for _ in 0..<2 { wire.next("/token", .requestLost) }
        let client = try client()
        _ = try? await register(client)
        let profile = try #require(try await client.profiles.first)
        let flow = client.changePIN(of: profile.id)
        var typed = [other, right][...]
        for try await step in flow {
            switch step {
            case .enterPIN(let challenge):
                try challenge.respond(with: try PIN(typed.popFirst() ?? ""))
            case .createPIN(let challenge): try challenge.respond(with: try PIN("39175"))
            }
        }
        _ = try await flow.outcome
        #expect(try await signIn(client, profile.id, "39175") == [nil])
    }

    @Test("A key for proofs that the provider has retired is replaced without another prompt")
    func retiredKey() async throws {
        let client = try client()
        let profile = try await register(client).profile
        try await provider.replacePINProofKey()
        #expect(try await signIn(client, profile.id, right) == [nil])
        try await provider.replacePINProofKey()
        #expect(try await signIn(client, profile.id, other, right) == [nil, 4])
    }

    // MARK: Downgrade

    /// A middleman who removes the key for proofs, as if the provider spoke version 1 only.
    private struct Stripping: HTTPTransport {
        let inner: any HTTPTransport

        func response(to request: ResourceRequest) async throws -> ResourceResponse {
            var response = try await inner.response(to: request)
            guard request.url.hasSuffix("/jwks") || request.url.hasSuffix("/gatehouse") else {
                return response
            }
            var object = try JSONParser.parseObject(response.body, maximumBytes: 1 << 20)
            if let keys = object["keys"]?.array {
                object["keys"] = .array(keys.filter { $0["use"]?.string != "enc" })
            } else {
                object["pin"] = ["versions": [1]]
            }
            response.body = object.bytes
            return response
        }
    }

    @Test("Attack 115: where version 2 is stripped, no PIN is asked for and nothing is registered")
    func strippedRegistration() async throws {
        let client = try client(Stripping(inner: wire))
        let flow = client.registration(.credential(try provider.testKey()))
        await #expect(throws: IdentityError.made(.authentication, .methodNotSupported)) {
            for try await step in flow { Issue.record("asked: \(step)") }
        }
        #expect(wire.count("/registration") == 0)
    }

    @Test("Attack 115: where version 2 is stripped later, no proof is sent, in any version")
    func strippedSignIn() async throws {
        let profile = try await register(try client()).profile
        for name in try await store.names() where name.description.hasPrefix("provider") {
            try await store.remove(name)
        }
        let (tokens, messages) = (wire.count("/token"), wire.count("/registration/pin"))
        let stripped = try client(Stripping(inner: wire), earlierPINs: Self.version1)
        await #expect(throws: IdentityError.self) {
            try await signIn(stripped, profile.id, right)
        }
        #expect(wire.count("/token") == tokens)
        #expect(wire.count("/registration/pin") == messages)
        // The honest provider is found again, and nothing was counted.
        #expect(try await signIn(try client(), profile.id, other, right) == [nil, 4])
    }

    // MARK: Version 1

    private static let version1 = EarlierPINs(Argon2PINStretching())

    private struct StoredSealingKey: PINSealingKey {
        let key: any StoredKey
        func seal(
            _ plaintext: [UInt8], context: [UInt8]
        ) async throws(PINSealingKeyError) -> [UInt8] {
            do { return try await key.seal(plaintext, context: context) } catch { throw .refused }
        }
        func open(
            _ sealed: [UInt8], context: [UInt8]
        ) async throws(PINSealingKeyError) -> [UInt8] {
            do { return try await key.open(sealed, context: context) } catch { throw .refused }
        }
    }

    /// Replaces the stored state by what an app of version 1 would have stored.
    private func makeOutdated() async throws {
        let (name, state) = try await pinRecord()
        let binding = PINBinding(
            issuer: try #require(state["iss"]?.string),
            keyID: try #require(state["kid"]?.string.flatMap { PINKeyID(text: $0) }))
        let current = try #require((state["current"] ?? state["offered"])?.object)
        func bytes(_ name: String) throws -> [UInt8] {
            try #require(current[name]?.string.flatMap { Base64URL.decode($0) })
        }
        let version = Int(try #require(current["ver"]?.integer))
        let rounds = Int(try #require(current["rounds"]?.integer))
        let head = [
            Array("gatehouse/pin/2/sealed".utf8), Array(binding.issuer.utf8), binding.keyID.bytes,
        ]
        let fields = [
            Version1Device.number(version), Version1Device.number(rounds), try bytes("salt"),
        ]
        let context = (head + fields).flatMap { Version1Device.number($0.count) + $0 }
        let keyName = try #require(try await keys.keyNames().first)
        let key = StoredSealingKey(key: try #require(try await keys.key(keyName)))
        let inner = try await key.open(bytes("box"), context: context)
        let pad = HMAC<SHA256>.authenticationCode(
            for: try bytes("salt") + Version1Device.number(rounds),
            using: SymmetricKey(data: Array(right.utf8)))
        let secret = Version1Secret(version: version, bytes: zip(inner, pad).map { $0 ^ $1 })
        try await store.write(
            Version1Store.state(
                secret, under: right, of: binding, sealedBy: key, random: SystemRandomSource()),
            to: name)
    }

    @Test("An old PIN signs in once more and is then one of version 2, under the same digits")
    func migrates() async throws {
        let profile = try await register(try client()).profile
        try await makeOutdated()
        let client = try client(earlierPINs: Self.version1)
        #expect(try await pinRecord().state["current"]?["memory"] != nil)
        #expect(try await signIn(client, profile.id, other, right) == [nil, 4])
        let current = try await pinRecord().state["current"]
        #expect(current?["rounds"] == 600_000 && current?["ver"] == 2)
        #expect(try await signIn(try self.client(), profile.id, right) == [nil])
    }

    @Test(
        "A migration that is cut off leaves one PIN that signs in",
        arguments: [FaultyTransport.Fault.requestLost, .answerLost])
    func cutOffMigration(_ fault: FaultyTransport.Fault) async throws {
        let profile = try await register(try client()).profile
        try await makeOutdated()
        for _ in 0..<2 { wire.next("/registration/pin", fault) }
        _ = try? await signIn(try client(earlierPINs: Self.version1), profile.id, right)
        #expect(
            try await signIn(try client(earlierPINs: Self.version1), profile.id, right) == [nil])
        #expect(try await pinRecord().state["current"]?["rounds"] == 600_000)
    }

    @Test("Without version 1 an old PIN is not asked for: the person registers again and goes on")
    func outdated() async throws {
        try await provider.change { $0.policy.registration.secondInstallations = true }
        let issuer = try await provider.addIssuer()
        let profile = try await register(try client(), issuer("anna")).profile
        try await makeOutdated()
        let client = try client()
        let asked = wire.count("/token")
        await #expect(throws: IdentityError.made(.authentication, .pinOutdated)) {
            try await signIn(client, profile.id)
        }
        #expect(wire.count("/token") == asked)
        #expect(try await client.profiles.map(\.id) == [profile.id])
        let again = try await register(client, issuer("anna"))
        #expect(again.profile.hasPIN)
        #expect(try await signIn(client, again.profile.id, right) == [nil])
    }
}
