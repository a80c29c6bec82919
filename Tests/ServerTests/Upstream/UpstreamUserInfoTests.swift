// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import ProviderUpstream
import Storage
import Support
import Testing

/// User info that comes as a JWT: signed, encrypted for us, or both.
@Suite struct UpstreamUserInfoTests {
    private let house: UpstreamHouse

    init() async throws { house = try await UpstreamHouse() }

    private func encryptionKey() async throws -> PublicJWK {
        let set = try await house.provider.upstreamKeySet(of: house.pages.tenant)
        let keys = try JSONParser.parseObject(set, maximumBytes: 65_536)["keys"]?.array ?? []
        let key = try #require(keys.first { $0["use"]?.string == "enc" })
        return try #require(try JSONWebKey(bytes: key.bytes).publicKey)
    }

    private func signIn() async throws -> Person? {
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        return try await house.signedIn(browser)?.person
    }

    @Test("Signed, encrypted, or both: what it says of a new person is read")
    func read() async throws {
        let key = try await encryptionKey()
        for form in [UpstreamStub.UserInfoForm.signed, .encrypted, .encryptedAndSigned] {
            house.acme.change {
                $0.subject = "acme-\(form)"
                $0.userInfoForm = form
                $0.encryptsTo = key
            }
            #expect(try await signIn()?.claims.locale == "de", "\(form)")
        }
        #expect(house.acme.lastHeaders["accept"]?.contains("application/jwt") == true)
    }

    @Test("Of another issuer, audience, person or key, expired, or another kind of token: refused")
    func refused() async throws {
        let cases: [[String: JSONValue]] = [
            ["iss": "https://other.example"], ["iss": .null], ["aud": "another"], ["aud": .null],
            ["sub": "acme-8"], ["sub": .null], ["exp": .integer(1)],
            ["nonce": "an ID token's"], ["events": [:]],
        ]
        for claims in cases {
            house.acme.change {
                $0.userInfoForm = .signed
                $0.userInfo = claims
            }
            #expect(try await signIn() == nil, "\(claims)")
        }
        house.acme.change { $0.userInfo = [:] }
        #expect(try await signIn() != nil)
        for body in ["", "x", "{\"sub\":\"acme-7\"}", "a.b.c", "a.b.c.d.e"] {
            house.acme.change {
                $0.answers["/userinfo"] = OutgoingResponse(
                    status: 200, headers: ["content-type": "application/jwt"],
                    body: Array(body.utf8))
            }
            #expect(try await signIn() == nil, "\(body)")
        }
    }
}
