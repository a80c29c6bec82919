// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import GatehouseClient
import GatehouseTesting
import JOSE
import Primitives
import Synchronization
import Testing

/// Tokens are bound to the profile's key when the provider can do that: RFC 9449, with a provider
/// that is made to say so.
@Suite("DPoP") struct DPoPTests {
    private let provider: InProcessProvider
    private let wire: BindingProvider
    private let keys = InMemoryKeyStore()
    private let client: IdentityClient

    init() async throws {
        provider = try await InProcessProvider()
        wire = BindingProvider(provider)
        client = try provider.client(keys: keys, transport: wire)
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

    @Test("The token request carries a proof by the profile's key, again with the nonce asked for")
    func tokenEndpoint() async throws {
        let session = try await client.signIn(.deviceKey)
        #expect(try await session.accessToken().isBoundToKey)
        let proofs = wire.proofs
        #expect(proofs.count == 2)
        let (header, first) = try claims(proofs[0])
        #expect(header.isType("dpop+jwt") && header.keyID == nil)
        #expect(first["htm"] == "POST" && first["nonce"] == nil && first["ath"] == nil)
        #expect(first["htu"]?.string == InProcessProvider.issuer + "/token")
        #expect(first["iat"]?.integer == 1_800_000_000)
        let (_, second) = try claims(proofs[1])
        #expect(second["nonce"] == "n-1" && second["jti"] != first["jti"])
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

/// The provider, as it will be: it announces DPoP, asks for a nonce once, and calls its tokens so.
private final class BindingProvider: HTTPTransport {
    private let inner: InProcessProvider
    private let state = Mutex<[String]>([])

    init(_ inner: InProcessProvider) { self.inner = inner }

    var proofs: [String] { state.withLock { $0 } }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        if request.url.hasSuffix("/token") {
            guard let proof = request.headers.first(where: { $0.name == "dpop" })?.value else {
                return ResourceResponse(status: 400, body: Array(#"{"error":"no proof"}"#.utf8))
            }
            let count = state.withLock { proofs in
                proofs.append(proof)
                return proofs.count
            }
            if count == 1 {
                return ResourceResponse(
                    status: 400, headers: ["dpop-nonce": "n-1"],
                    body: Array(#"{"error":"use_dpop_nonce"}"#.utf8))
            }
        }
        var plain = request
        for (name, value) in plain.headers where value.hasPrefix("DPoP ") {
            plain.set(name, "Bearer " + value.dropFirst(5))
        }
        var answer = try await inner.response(to: plain)
        guard var body = try? JSONParser.parseObject(answer.body, maximumBytes: 1_048_576) else {
            return answer
        }
        if request.url.hasSuffix("/openid-configuration") {
            body["dpop_signing_alg_values_supported"] = ["ES256"]
        }
        if body["token_type"] != nil { body["token_type"] = "DPoP" }
        answer.body = body.bytes
        return answer
    }
}
