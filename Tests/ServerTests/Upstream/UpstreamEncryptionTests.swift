// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderUpstream
import Storage
import Support
import Testing

/// ID tokens that an upstream provider encrypts for us.
@Suite struct UpstreamEncryptionTests {
    private func key(of house: UpstreamHouse) async throws -> PublicJWK {
        let answer = try await house.provider.upstreamKeySet(of: house.pages.tenant)
        let keys = try JSONParser.parseObject(answer, maximumBytes: 65_536)["keys"]?.array ?? []
        let sealing = try #require(keys.first { $0["use"]?.string == "enc" })
        #expect(sealing["alg"]?.string == "ECDH-ES" && sealing["d"] == nil)
        #expect(keys.contains { $0["use"]?.string != "enc" })
        return try #require(try JSONWebKey(bytes: sealing.bytes).publicKey)
    }

    @Test("Encrypted to the key that we publish, it is opened and checked like any other")
    func opened() async throws {
        let house = try await UpstreamHouse(["encrypted_id_tokens": true])
        let key = try await key(of: house)
        house.acme.change { $0.encryptsTo = key }
        var browser = house.pages.browser()
        #expect(try await house.signIn(&browser).location == "/account")
        #expect(try await house.signedIn(browser)?.person.username == "anna")
    }

    @Test("A plain one is refused where encrypted ones were agreed, and taken where not")
    func plain() async throws {
        let house = try await UpstreamHouse(["encrypted_id_tokens": true])
        var browser = house.pages.browser()
        #expect(try await house.signIn(&browser).status == .unprocessableContent)
        #expect(try await house.signedIn(browser) == nil)
        try await house.put()
        let key = try await key(of: house)
        house.acme.change { $0.encryptsTo = key }
        #expect(try await house.signIn(&browser).location == "/account")
    }

    @Test("One for another key, and one with an unknown signature, are refused")
    func refused() async throws {
        let house = try await UpstreamHouse(["encrypted_id_tokens": true])
        let foreign = try PrivateJWK.generate(for: .es256).with(
            KeyParameters(keyID: "another", use: "enc", algorithm: "ECDH-ES")
        ).publicKey
        house.acme.change { $0.encryptsTo = foreign }
        var browser = house.pages.browser()
        #expect(try await house.signIn(&browser).status == .unprocessableContent)
        let key = try await key(of: house)
        house.acme.change {
            $0.encryptsTo = key
            $0.signs = 1
        }
        #expect(try await house.signIn(&browser).status == .unprocessableContent)
        house.acme.change {
            $0.signs = 0
            $0.claims["nonce"] = "of another"
        }
        #expect(try await house.signIn(&browser).status == .unprocessableContent)
        #expect(try await house.signedIn(browser) == nil)
    }

    @Test("After a rotation the key before still opens")
    func rotated() async throws {
        let house = try await UpstreamHouse(["encrypted_id_tokens": true])
        let key = try await key(of: house)
        #expect(try await house.provider.encryptionKeys.rotate(of: house.pages.tenant))
        let next = try await self.key(of: house)
        #expect(next.keyID != key.keyID)
        house.acme.change { $0.encryptsTo = key }
        var browser = house.pages.browser()
        #expect(try await house.signIn(&browser).location == "/account")
    }
}
