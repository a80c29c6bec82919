// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Crypto
import Foundation
import GatehouseClient
import GatehouseTesting
import JOSE
import Primitives
import ProviderCore
import Storage
import Synchronization
import Testing

/// Tokens are bound to the profile's key, so that a copied token cannot be used: RFC 9449, against
/// the real provider.
@Suite("DPoP") struct DPoPTests {
    private let provider: InProcessProvider
    private let wire: RecordingTransport
    private let store = InMemorySecureStore()
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        wire = RecordingTransport(provider)
        client = try provider.client(store: store, keys: keys, transport: wire)
        try await client.register(.credential(provider.testKey()))
    }

    private func claims(_ proof: String) throws -> (header: JOSEHeader, claims: JSONObject) {
        let jws = try UnverifiedJWS(compact: proof)
        let key = try #require(jws.header.members["jwk"]?.object)
        guard case .publicKey(let jwk) = try JSONWebKey(key) else { throw Missing() }
        let verified = try JWSVerifier(key: .publicKey(jwk), algorithms: [.es256])
            .verify(compact: proof)
        return (verified.header, try JSONParser.parseObject(verified.payload, maximumBytes: 4096))
    }

    struct Missing: Error {}

    @Test("The token request carries a proof by the profile's key, and no token")
    func tokenEndpoint() async throws {
        let session = try await client.signIn(.deviceKey)
        #expect(try await session.accessToken().isBoundToKey)
        #expect(wire.proofs.count == 1)
        let (header, proof) = try claims(wire.proofs[0])
        #expect(header.isType("dpop+jwt") && header.keyID == nil)
        #expect(proof["htm"] == "POST" && proof["nonce"] == nil && proof["ath"] == nil)
        #expect(proof["htu"]?.string == InProcessProvider.issuer + "/token")
        #expect(proof["iat"]?.integer == 1_800_000_000)
    }

    @Test("A provider that asks for a nonce gets another proof with it")
    func nonce() async throws {
        let tenant = try #require(try await provider.provider.tenant(named: "default"))
        let nonce = StatelessNonce(
            for: .proof, of: tenant, in: provider.provider, now: provider.provider.clock.now
        ).make()
        wire.askForNonce(nonce)
        let session = try await client.signIn(.deviceKey)
        #expect(try await session.accessToken().isBoundToKey)
        let proofs = try wire.proofs.map { try claims($0).claims }
        #expect(proofs.count == 2 && proofs[1]["nonce"]?.string == nonce)
        #expect(proofs[0]["jti"] != proofs[1]["jti"])
    }

    @Test("What was copied from the store is of no use without the key")
    func copied() async throws {
        try await client.signIn(.deviceKey)
        let thiefKeys = InMemoryKeyStore()
        for name in try await keys.keyNames() { _ = try await thiefKeys.makeKey(name) }
        let thief = try provider.client(store: store, keys: thiefKeys)
        let session = try await thief.session()
        let url = InProcessProvider.issuer + "/userinfo"
        #expect(try await session.data(for: ResourceRequest(url)).status == 401)
        await #expect(throws: IdentityError.made(.authentication, .notSignedIn)) {
            try await session.refresh()
        }
        let bearer = try await client.session().accessToken().reveal()
        let answer = try await provider.response(
            to: ResourceRequest(url, headers: [("authorization", "Bearer \(bearer)")]))
        #expect(answer.status == 401)
    }

    @Test("The provider's own resources take the token with its proof")
    func ownResources() async throws {
        let session = try await client.signIn(.deviceKey)
        for path in ["/userinfo", "/registration/installations?x=1"] {
            let answer = try await session.data(
                for: ResourceRequest(InProcessProvider.issuer + path))
            #expect(answer.status == 200, "\(path)")
        }
    }

    @Test("A resource request carries the token with a proof over address, method and token")
    func resources() async throws {
        let session = try await client.signIn(.deviceKey)
        var request = ResourceRequest(
            "https://api.example.com/notes?page=2#top", method: "PUT")
        try await session.authorize(&request)
        let token = try await session.accessToken().reveal()
        func value(_ name: String) -> String? {
            request.headers.first { $0.name == name }?.value
        }
        #expect(value("authorization") == "DPoP \(token)")
        let (_, claims) = try claims(try #require(value("dpop")))
        #expect(claims["htm"] == "PUT")
        #expect(claims["htu"] == "https://api.example.com/notes")
        let hash = Base64URL.encode(Array(SHA256.hash(data: Array(token.utf8))))
        #expect(claims["ath"]?.string == hash)
    }

    @Test(
        "Whoever signs in as somebody known gets tokens of another key, and both keys go with them")
    func secondKey() async throws {
        let issuer = try await provider.addIssuer()
        let profile = try await client.register(.credential(issuer("anna"))).profile
        try await client.signIn(.credential(issuer("anna")))
        #expect(try await keys.keyNames().count == 3)
        try await client.signIn(.credential(issuer("anna")))
        #expect(try await keys.keyNames().count == 3)
        _ = try await client.session(for: profile.id).refresh()
        try await client.remove(profile.id)
        #expect(try await keys.keyNames().count == 1)
    }
}

/// Keeps every proof that goes by, and can ask for a nonce in the provider's place.
private final class RecordingTransport: HTTPTransport {
    private let inner: InProcessProvider
    private let state = Mutex((proofs: [String](), nonce: String?.none))

    init(_ inner: InProcessProvider) { self.inner = inner }

    /// Of requests for tokens.
    var proofs: [String] { state.withLock { $0.proofs } }

    func askForNonce(_ nonce: String) { state.withLock { $0.nonce = nonce } }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        guard request.url.hasSuffix("/token") else { return try await inner.response(to: request) }
        let proof = request.headers.first { $0.name == "dpop" }?.value
        let nonce = state.withLock { state in
            if let proof { state.proofs.append(proof) }
            defer { state.nonce = nil }
            return state.nonce
        }
        guard let nonce else { return try await inner.response(to: request) }
        return ResourceResponse(
            status: 400, headers: ["dpop-nonce": nonce],
            body: Array(#"{"error":"use_dpop_nonce"}"#.utf8))
    }
}
