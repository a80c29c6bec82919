// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import Crypto
import GatehouseClient
import GatehouseTesting
import JOSE
import Primitives
import ProviderAdministration
import ProviderCore
import Synchronization
import Testing

/// Apps with App Attest: assertions at registration and at each later sign-in.
@Suite("App Attest at sign-in") struct AppAssertionTests {
    private let provider: InProcessProvider
    private let phone: AttestedPhone

    init() async throws {
        provider = try await InProcessProvider()
        phone = AttestedPhone(authority: try AttestationAuthority())
        try await require("required")
    }

    /// As an administrator would.
    private func require(_ assertions: String) async throws {
        let apple: JSONValue = [
            "applications": [.string(AppAttestation.application)], "environment": "development",
            "roots": [.string(Base64.encode(try phone.authority.root.der))],
            "receipt_roots": [.string(Base64.encode(try phone.authority.root.der))],
            "assertions": .string(assertions),
        ]
        let state = try StateParser.parse([
            "projects": [
                [
                    "name": "default", "environment": "development",
                    "registration": ["methods": ["appAttest", "testKey"], "apple": apple],
                ]
            ]
        ])
        let facts = RequestMetadata(
            now: provider.clock.wall.now, requestID: "r", address: "192.0.2.1")
        _ = try await StateReconciler(provider.provider).apply(state, facts: facts).get()
        provider.provider.tenants.invalidate()
    }

    @Test("An attested installation signs in where assertions are asked for; its device too")
    func signsIn() async throws {
        let client = try provider.client(attestor: phone)
        let profile = try await client.register(.attested(by: phone)).profile
        let session = try await client.signIn(.deviceKey)
        #expect(session.profile == profile)
        #expect(phone.asserted == 1)
        try await provider.letDevices(have: ["weather"])
        _ = try await client.device.session()
        #expect(phone.asserted == 2)
    }

    @Test("Of two sign-ins at once the second asserts when the first is answered")
    func inTurn() async throws {
        let store = WatchedStore("assertion")
        let isWatching = Mutex(false)
        let seen = Mutex<[Int]>([])
        let wire = MeddlingTransport(inner: provider) { [phone] in
            guard isWatching.withLock({ $0 }) else { return }
            // The other request waits for its turn, or has made an assertion already, which is the
            // defect.
            while store.asked < 2, phone.asserted < 2 { await Task.yield() }
            let asserted = phone.asserted
            seen.withLock { $0.append(asserted) }
        }
        let client = try provider.client(store: store, attestor: phone, transport: wire)
        try await client.register(.attested(by: phone))
        try await provider.letDevices(have: ["weather"])
        #expect(phone.asserted == 0 && store.asked == 0)
        isWatching.withLock { $0 = true }
        async let session = client.signIn(.deviceKey)
        async let device = client.device.session()
        _ = try await (session, device)
        #expect(seen.withLock { $0 } == [1, 2])
    }

    @Test("Another start of the app knows its attested key")
    func restarted() async throws {
        let (store, keys) = (InMemorySecureStore(), InMemoryKeyStore())
        let first = try provider.client(store: store, keys: keys, attestor: phone)
        try await first.register(.attested(by: phone))
        let second = try provider.client(store: store, keys: keys, attestor: phone)
        _ = try await second.signIn(.deviceKey)
        #expect(phone.asserted == 1)
    }

    @Test("Without its attestor nobody signs in where assertions are asked for")
    func missing() async throws {
        let (store, keys) = (InMemorySecureStore(), InMemoryKeyStore())
        let client = try provider.client(store: store, keys: keys)
        try await client.register(.attested(by: phone))
        await #expect(throws: IdentityError.made(.authentication, .notAuthorized)) {
            try await client.signIn(.deviceKey)
        }
        // It is as good as before: with its attestor it signs in.
        let whole = try provider.client(store: store, keys: keys, attestor: phone)
        _ = try await whole.signIn(.deviceKey)
    }

    @Test("A phone that can assert nothing signs in only where the project does not ask for it")
    func broken() async throws {
        let client = try provider.client(attestor: phone)
        try await client.register(.attested(by: phone))
        phone.breakDown()
        await #expect(throws: IdentityError.made(.authentication, .notAuthorized)) {
            try await client.signIn(.deviceKey)
        }
        try await require("optional")
        _ = try await client.signIn(.deviceKey)
    }

    @Test("Who registered otherwise is asked for no assertion, with an attestor as well")
    func others() async throws {
        let client = try provider.client(attestor: phone)
        try await client.register(.credential(provider.testKey()))
        _ = try await client.signIn(.deviceKey)
        #expect(phone.asserted == 0)
    }
}

/// A phone whose maker is the test.
private final class AttestedPhone: DeviceAttestor {
    struct Broken: Error {}

    let method = GatehouseClient.RegistrationMethod.appAttest
    let authority: AttestationAuthority
    private let state = Mutex((keys: [String: P256.Signing.PrivateKey](), asserted: UInt8(0)))
    private let isBroken = Mutex(false)

    init(authority: AttestationAuthority) { self.authority = authority }

    var asserted: Int { state.withLock { Int($0.asserted) } }

    func breakDown() { isBroken.withLock { $0 = true } }

    func evidence(
        for challenge: RegistrationChallenge
    ) async throws -> RegistrationEvidence {
        var made = try AppAttestation(authority: authority)
        made.challenge = challenge.binding
        let name = Base64.encode(made.keyHash)
        let key = made.key
        state.withLock { $0.keys[name] = key }
        return RegistrationEvidence([
            "key_id": name, "attestation": Base64.encode(try made.attestation()),
        ])
    }

    func assertion(over message: [UInt8], by keyID: String) async throws -> [UInt8]? {
        if isBroken.withLock({ $0 }) { throw Broken() }
        let (key, counter) = try state.withLock { state in
            guard let key = state.keys[keyID] else { throw Broken() }
            state.asserted += 1
            return (key, state.asserted)
        }
        let data =
            Array(SHA256.hash(data: Array(AppAttestation.application.utf8)))
            + [0x40, 0, 0, 0, counter]
        let nonce = Array(SHA256.hash(data: data + SHA256.hash(data: message)))
        let signature = Array(try key.signature(for: nonce).derRepresentation)
        return CBORValue.map([
            CBOREntry(.text("signature"), .byteString(signature[...])),
            CBOREntry(.text("authenticatorData"), .byteString(data[...])),
        ]).encoded(ordering: .ctap2)
    }
}
