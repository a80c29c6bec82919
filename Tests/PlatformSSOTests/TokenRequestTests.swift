// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import PlatformSSO
import Primitives
import Testing

@Suite("Refresh requests and the key service")
struct TokenRequestTests {
    private let parties = TestParties()
    private let other = TestParties.pair(9).publicKey

    // MARK: Refresh

    @Test("A refresh names the token and no person")
    func refresh() throws {
        let draft = try parties.context().refresh(Secret("refresh-1"))
        #expect(draft.header["typ"] == "platformsso-refresh-request+jwt")
        #expect(draft.claims["sub"] == nil && draft.claims["username"] == nil)
        #expect(draft.claims["aud"] == "https://id.example.com/platform-sso/refresh")
        let request = try parties.verifyRefresh(parties.sign(draft)).get()
        #expect(request.refreshToken == Secret("refresh-1"))
        #expect(request.scope.contains("offline_access"))
    }

    @Test("A refresh of the first generation is told from a login by its grant")
    func oldRefresh() throws {
        let draft = parties.altered(
            try parties.context().refresh(Secret("r")), { $0["typ"] = "JWT" }, { _ in })
        #expect(throws: Never.self) { try parties.verifyRefresh(parties.sign(draft)).get() }
    }

    @Test("A refresh with another grant, without token, signed by another")
    func refreshRefused() throws {
        let draft = try parties.context().refresh(Secret("refresh-1"))
        let login = parties.altered(draft) { $0["grant_type"] = "password" }
        #expect(code(parties.verifyRefresh(try parties.sign(login))) == .grantUnsupported)
        let none = parties.altered(draft) { $0["refresh_token"] = nil }
        #expect(code(parties.verifyRefresh(try parties.sign(none))) == .claimMissing)
        let forged = try parties.sign(draft, parties.stranger)
        #expect(code(parties.verifyRefresh(forged)) == .signatureInvalid)
    }

    @Test("A refresh is no login, a login no key request, and none of them an ID token")
    func types() throws {
        let refresh = try parties.sign(parties.context().refresh(Secret("r")))
        #expect(code(parties.verify(refresh)) == .typeMismatch)
        #expect(code(parties.verifyKey(try parties.login())) == .typeMismatch)
        for type in ["at+jwt", "platformsso-login-response+jwt", "dpop+jwt"] {
            let message = try parties.login(header: { $0["typ"] = .string(type) })
            #expect(code(parties.verify(message)) == .typeMismatch)
        }
        let untyped = try parties.login(header: { $0["typ"] = nil })
        #expect(code(parties.verify(untyped)) == .typeMismatch)
    }

    // MARK: Key service

    @Test("A key request asks for an unlock key")
    func keyRequest() throws {
        let context = parties.context()
        let draft = try context.key(.provision, refreshToken: Secret("r"))
        #expect(draft.claims["version"] == "1.0" && draft.claims["aud"] == nil)
        let fields = context.configuration.keyRequestForm(try parties.sign(draft))
        #expect(fields[0] == FormField("platform_sso_version", "2.0"))
        let request = try parties.verifyKey(parties.sign(draft)).get()
        #expect(request.operation == .provision)
        #expect(request.username == "anna" && request.refreshToken == Secret("r"))
    }

    @Test("A key exchange brings the device's key and the context", arguments: [nil, "context"])
    func keyExchange(_ context: String?) throws {
        let draft = try parties.context().key(
            .exchange(otherPublicKey: other, context: context), refreshToken: Secret("r"))
        let text = try #require(draft.claims["other_publickey"]?.string)
        #expect(text.utf8.count == 88 && text.hasSuffix("="))
        let request = try parties.verifyKey(parties.sign(draft)).get()
        #expect(request.operation == .exchange(otherPublicKey: other, context: context))
    }

    @Test("The audience of a key request may be left out, and must be right when it is there")
    func keyAudience() throws {
        let draft = try parties.context().key(.provision, refreshToken: Secret("r"))
        for (audience, refusal) in [
            ("id.example.com", nil), ("https://id.example.com/platform-sso/key", nil),
            ("https://evil.example", .audienceMismatch),
        ] as [(String, PlatformSSORefusal.Code?)] {
            let altered = parties.altered(draft) { $0["aud"] = .string(audience) }
            #expect(code(parties.verifyKey(try parties.sign(altered))) == refusal)
        }
    }

    @Test("Another purpose, version, request type, issuer; no token; no person")
    func keyRefused() throws {
        let draft = try parties.context().key(.provision, refreshToken: Secret("r"))
        let changes: [(String, JSONValue?, PlatformSSORefusal.Code)] = [
            ("key_purpose", "file_vault", .keyPurposeUnsupported),
            ("key_purpose", nil, .keyPurposeUnsupported), ("version", "2.0", .versionUnsupported),
            ("version", 1, .versionUnsupported),
            ("request_type", "key_export", .requestTypeUnsupported),
            ("request_type", nil, .claimMissing), ("iss", "other", .clientMismatch),
            ("refresh_token", nil, .claimMissing), ("refresh_token", "", .claimMalformed),
            ("sub", "berta", .userMismatch), ("username", nil, .claimMissing),
            ("request_nonce", nil, .claimMissing),
            ("jwe_crypto", nil, .responseEncryptionUnsupported),
        ]
        for (name, value, expected) in changes {
            let altered = parties.altered(draft) { $0[name] = value }
            #expect(code(parties.verifyKey(try parties.sign(altered))) == expected)
        }
    }

    @Test("A key exchange with a point off the curve, of zeros, compressed, too short, no base64")
    func invalidPoints() throws {
        let point = try #require(other.x963)
        var off = point
        off[40] ^= 0x80
        let wrong = [off, [4] + [UInt8](repeating: 0, count: 64), [2] + point[1..<33], []]
        for point in wrong {
            let draft = try parties.context().key(
                .exchange(otherPublicKey: other, context: nil), refreshToken: Secret("r"))
            let altered = parties.altered(draft) {
                $0["other_publickey"] = .string(Base64URL.encode(point))
            }
            let found = code(parties.verifyKey(try parties.sign(altered)))
            #expect(found == (point.isEmpty ? .claimMalformed : .publicKeyMalformed))
        }
    }

    @Test("A context that is too long is refused")
    func longContext() throws {
        let context = String(repeating: "A", count: KeyResponse.maximumContextBytes + 1)
        let draft = try parties.context().key(
            .exchange(otherPublicKey: other, context: context), refreshToken: Secret("r"))
        #expect(code(parties.verifyKey(try parties.sign(draft))) == .claimMalformed)
    }

    @Test("The type that one server expects for exchanges is valid for those only")
    func exchangeType() throws {
        let type: (inout JSONObject) -> Void = {
            $0["typ"] = "platformsso-key-exchange-request+jwt"
        }
        let exchange = try parties.context().key(
            .exchange(otherPublicKey: other, context: nil), refreshToken: Secret("r"))
        let request = try parties.context().key(.provision, refreshToken: Secret("r"))
        let good = try parties.sign(parties.altered(exchange, type, { _ in }))
        let bad = try parties.sign(parties.altered(request, type, { _ in }))
        #expect(code(parties.verifyKey(good)) == nil)
        #expect(code(parties.verifyKey(bad)) == .requestTypeUnsupported)
    }
}
