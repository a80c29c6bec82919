// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Testing

/// What macOS does and a strict reader would refuse.
@Suite("As macOS writes it")
struct LeniencyTests {
    private let parties = TestParties()

    @Test("Pretty-printed JSON: the signature covers the received bytes")
    func prettyPrintedJSON() throws {
        let draft = try parties.context().login(.password(Secret("x")), random: parties.random)
        let message = try sign(
            header: prettyPrinted(draft.header), claims: prettyPrinted(draft.claims),
            parties.deviceSigning)
        #expect(String(decoding: message, as: UTF8.self).hasPrefix("ewog"))
        #expect(throws: Never.self) { try parties.verify(message).get() }
    }

    @Test("Times as strings of digits")
    func stringTimes() throws {
        let message = try parties.login { claims in
            claims["iat"] = .string("\(TestParties.now.seconds)")
            claims["exp"] = .string("\(TestParties.now.seconds + 300)")
        }
        #expect(try parties.verify(message).get().facts.issuedAt == TestParties.now)
    }

    @Test(
        "Other strings are no times",
        arguments: ["", " 1790000000", "+1790000000", "1790000000.5", "-5", "1e9", "999999999999"])
    func noTimes(_ text: String) throws {
        let message = try parties.login { $0["iat"] = .string(text) }
        #expect(code(parties.verify(message)) == .claimMalformed)
    }

    @Test("x5c as one string and as an array; neither is trusted")
    func certificates() throws {
        for value: JSONValue in ["MAMCAQU=", ["MAMCAQU=", "MAMCAQY="]] {
            let message = try parties.login(header: { $0["x5c"] = value })
            #expect(throws: Never.self) { try parties.verify(message).get() }
        }
    }

    @Test("x5c that holds no certificates is refused", arguments: ["", "*", "AAAA", "[]", "[1]"])
    func noCertificates(_ text: String) throws {
        let value = try? JSONParser.parse(Array(text.utf8), maximumBytes: 100)
        let message = try parties.login(header: { $0["x5c"] = value ?? .string(text) })
        #expect(code(parties.verify(message)) == .certificateMalformed)
    }

    @Test("kid in either alphabet, with and without padding")
    func keyIDs() throws {
        let name = KeyIdentifier(parties.deviceSigning.publicKey)
        let url = Base64URL.encode(name.digest)
        for kid in [name.description, url, url + "="] {
            let message = try parties.login(header: { $0["kid"] = .string(kid) })
            #expect(try parties.verify(message).get().facts.signingKeyID == name)
        }
    }

    @Test("The first generation: typ JWT, without exp, iss and sub")
    func firstGeneration() throws {
        let message = try parties.login(
            claims: { claims in
                for name in ["exp", "iss", "sub"] { claims[name] = nil }
            }, header: { $0["typ"] = "JWT" })
        #expect(throws: Never.self) { try parties.verify(message).get() }
        // It ages all the same.
        let later = TestParties.now + .minutes(10)
        #expect(code(parties.verify(message, now: later)) == .expired)
    }

    @Test("The later generation leaves none of them out", arguments: ["exp", "iss", "sub", "iat"])
    func laterGeneration(_ name: String) throws {
        let message = try parties.login { $0[name] = nil }
        #expect(code(parties.verify(message)) == .claimMissing)
    }

    @Test("Apple's example with the assertion's typ outside is a login")
    func exampleType() throws {
        let message = try parties.login(header: { $0["typ"] = "platformsso-login-assertion+jwt" })
        #expect(throws: Never.self) { try parties.verify(message).get() }
    }

    @Test("A captured login's claims: amr, groups, username besides sub, a padded nonce")
    func capturedLogin() throws {
        let message = try parties.login { claims in
            claims["amr"] = ["pwd"]
            claims["request_nonce"] = "MSfEHgDNcFdH9G2O89uFBRoADeIujBLBWD+35i3s/ec="
            claims["claims"] = ["id_token": ["groups": ["values": ["net-admin", "software"]]]]
        }
        let request = try parties.verify(message).get()
        #expect(request.facts.serverNonce == "MSfEHgDNcFdH9G2O89uFBRoADeIujBLBWD+35i3s/ec=")
        #expect(request.requestedGroups == ["net-admin", "software"])
    }

    @Test("Vector D: a captured key exchange has no aud, no scope and no client_id")
    func capturedKeyExchange() throws {
        let other = TestParties.pair(9).publicKey
        let draft = try parties.context().key(
            .exchange(otherPublicKey: other, context: "context"), refreshToken: Secret("r"))
        let names: Set = [
            "jwe_crypto", "exp", "request_type", "nonce", "version", "request_nonce",
            "other_publickey", "refresh_token", "key_context", "iss", "key_purpose", "sub",
            "username", "iat",
        ]
        #expect(Set(draft.claims.names) == names)
        #expect(throws: Never.self) { try parties.verifyKey(parties.sign(draft)).get() }
    }

    @Test("The nonce may not be left out inside of an assertion, as Apple documents it")
    func innerNonce() throws {
        #expect(throws: PlatformSSORefusal(.claimMissing, "")) {
            try parties.verify(parties.assertionLogin { $0["nonce"] = nil }).get()
        }
    }

    @Test("Unknown claims do not matter")
    func unknownClaims() throws {
        let message = try parties.login { $0["com.apple.new"] = ["deep": [1, 2, .null]] }
        #expect(throws: Never.self) { try parties.verify(message).get() }
    }

    @Test("Versions 1, 1.0 and 2.0; nothing else", arguments: ["1", "1.0", "2.0", "2", "", "3.0"])
    func versions(_ text: String) throws {
        let fields = [
            FormField("platform_sso_version", text), FormField("assertion", "a.b.c"),
            FormField("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
        ]
        let known = ["1": ProtocolVersion.v1, "1.0": .v1, "2.0": .v2]
        if let version = known[text] {
            #expect(try RequestForm(fields) == .request(version, message: "a.b.c"))
        } else {
            #expect(code { _ = try RequestForm(fields) } == .versionUnsupported)
        }
    }
}
