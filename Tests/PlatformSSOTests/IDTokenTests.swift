// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Testing

@Suite("ID tokens, verified as a device does")
struct IDTokenTests {
    private let parties = TestParties()
    private static let nonce = "DDF68171-409D-4E2C-91F0-9E42D7745365"

    private func verify(
        _ token: String, configuration: LoginConfiguration? = nil, keys: ProviderKeys? = nil,
        groups: [String] = [], known: KnownLogin? = nil, now: Timestamp = TestParties.now
    ) throws -> Result<VerifiedLogin, PlatformSSORefusal> {
        let verifier = LoginResponseVerifier(
            configuration: configuration ?? parties.configuration,
            keys: try keys ?? parties.providerKeys())
        return verifier.verify(
            parties.loginResponse(token), nonce: Self.nonce, groups: groups, known: known,
            now: now)
    }

    private func token(_ change: (inout JSONObject) -> Void = { _ in }) throws -> String {
        try parties.idToken(nonce: Self.nonce, change)
    }

    @Test("A good one, with groups of which only those that were asked about count")
    func good() throws {
        let token = try token { $0["groups"] = ["admins", "staff", "others"] }
        let login = try verify(token, groups: ["staff", "guests", "admins"]).get()
        #expect(login.uniqueIdentifier == "anna")
        #expect(login.groups == ["staff", "admins"])
    }

    @Test("The claims that a configuration names instead")
    func otherNames() throws {
        var configuration = parties.configuration
        configuration.uniqueIdentifierClaimName = "upn"
        configuration.groupResponseClaimName = "roles"
        let token = try token {
            $0["upn"] = "anna@example.com"
            $0["roles"] = ["staff"]
        }
        let login = try verify(token, configuration: configuration, groups: ["staff"]).get()
        #expect(login.uniqueIdentifier == "anna@example.com" && login.groups == ["staff"])
    }

    @Test("Times as strings, and no sub, as in Apple's example of 2022")
    func oldExample() throws {
        let token = try token { claims in
            claims["sub"] = nil
            claims["upn"] = "foo"
            for name in ["iat", "exp"] {
                claims[name] = claims[name].map { .string($0.text) }
            }
            claims["nbf"] = claims["iat"]
        }
        #expect(try verify(token).get().uniqueIdentifier == nil)
    }

    @Test(
        "For a known person, only a response with the same identifiers is accepted, byte for byte")
    func known() throws {
        let first = try #require(try verify(token()).get().identity)
        #expect(first.subject == "anna" && first.issuer == parties.configuration.issuer)
        let known = KnownLogin(first)
        #expect(throws: Never.self) { try verify(token(), known: known).get() }
        for other: JSONValue? in ["bea", "Anna", "anna ", 1, ["anna"], "", nil] {
            let token = try token { $0["sub"] = other }
            #expect(code(try verify(token, known: known)) == .userMismatch)
        }
        let elsewhere = try #require(
            LoginIdentity(
                issuer: "https://other.example.com", subject: "anna", claim: "sub",
                identifier: "anna"))
        #expect(code(try verify(token(), known: KnownLogin(elsewhere))) == .userMismatch)
    }

    @Test(
        "A person known by another claim is still compared by sub; without a comparison it is refused"
    )
    func knownOtherwise() throws {
        func known(_ subject: String?, _ identifier: String?) throws -> KnownLogin {
            KnownLogin(
                try #require(
                    LoginIdentity(
                        issuer: parties.configuration.issuer, subject: subject, claim: "upn",
                        identifier: identifier)))
        }
        #expect(throws: Never.self) { try verify(token(), known: known("anna", "a@x")).get() }
        #expect(code(try verify(token(), known: known("bea", "a@x"))) == .userMismatch)
        #expect(code(try verify(token(), known: known(nil, "a@x"))) == .userMismatch)
        #expect(
            LoginIdentity(issuer: "i", subject: nil, claim: "sub", identifier: nil) == nil)
    }

    @Test("A refresh repeats when the person was seen, or leaves it out")
    func authenticationTime() throws {
        let seen = Timestamp(seconds: TestParties.now.seconds - 900)
        let first = try #require(try verify(token()).get().identity)
        let known = KnownLogin(first, authenticatedAt: seen)
        for same: JSONValue? in [nil, .integer(seen.seconds), .string("\(seen.seconds)")] {
            let token = try token { $0["auth_time"] = same }
            #expect(throws: Never.self) { try verify(token, known: known).get() }
        }
        for other in [seen.seconds + 1, seen.seconds - 1, TestParties.now.seconds] {
            let token = try token { $0["auth_time"] = .integer(other) }
            #expect(code(try verify(token, known: known)) == .authenticationTimeMismatch)
        }
        let nonsense = try token { $0["auth_time"] = "soon" }
        #expect(code(try verify(nonsense, known: known)) == .claimMalformed)
        // Another login is at another time.
        let later = try token { $0["auth_time"] = .integer(TestParties.now.seconds) }
        #expect(throws: Never.self) { try verify(later, known: KnownLogin(first)).get() }
    }

    @Test("An audience of several needs azp")
    func audiences() throws {
        let client = JSONValue.string(parties.configuration.clientID)
        let several = try token {
            $0["aud"] = [client, "other"]
            $0["azp"] = client
        }
        #expect(throws: Never.self) { try verify(several).get() }
        let without = try token { $0["aud"] = [client, "other"] }
        #expect(code(try verify(without)) == .claimMissing)
        let other = try token { $0["azp"] = "other" }
        #expect(code(try verify(other)) == .authorizedPartyMismatch)
    }

    @Test(
        "Another nonce, issuer, audience; expired, from the future, not yet valid; claims left out")
    func refused() throws {
        let seconds = TestParties.now.seconds
        let changes: [(String, JSONValue?, PlatformSSORefusal.Code)] = [
            ("nonce", "ddf68171-409d-4e2c-91f0-9e42d7745365", .nonceMismatch),
            ("nonce", nil, .claimMissing), ("iss", "https://id.example.com/", .issuerMismatch),
            ("iss", nil, .claimMissing), ("aud", "other", .audienceMismatch),
            ("aud", ["other"], .audienceMismatch), ("aud", nil, .claimMissing),
            ("aud", [], .claimMalformed), ("exp", .integer(seconds - 60), .expired),
            ("exp", nil, .claimMissing), ("iat", .integer(seconds + 61), .issuedInFuture),
            ("iat", nil, .claimMissing), ("nbf", .integer(seconds + 61), .notYetValid),
            ("nbf", "soon", .claimMalformed), ("iat", true, .claimMalformed),
        ]
        for (name, value, expected) in changes {
            #expect(code(try verify(token { $0[name] = value })) == expected)
        }
    }

    @Test("Signed by another key, by one that is not published, or by none")
    func signatures() throws {
        let good = try token()
        let other = try parties.stranger.publicKey.with(KeyParameters(keyID: "id-1"))
        let keys = ProviderKeys(try JWKSet([.publicKey(other)]))
        #expect(code(try verify(good, keys: keys)) == .signatureInvalid)
        let renamed = try parties.providerSigning.publicKey.with(KeyParameters(keyID: "id-2"))
        let elsewhere = ProviderKeys(try JWKSet([.publicKey(renamed)]))
        #expect(code(try verify(good, keys: elsewhere)) == .keyNotFound)
        let cut = String(good[...(good.lastIndex(of: ".") ?? good.startIndex)])
        #expect(code(try verify(cut)) == .signatureInvalid)
        #expect(code(try verify("a.b.c")) == .malformed)
    }

    @Test("RS256 and ES256 and nothing else")
    func algorithms() throws {
        for (algorithm, expected) in [
            (JWSAlgorithm.rs256, nil), (.ps256, .algorithmNotAllowed),
            (.es384, .algorithmNotAllowed),
        ] as [(JWSAlgorithm, PlatformSSORefusal.Code?)] {
            let pair = try PrivateJWK.generate(for: algorithm).with(
                KeyParameters(keyID: "id-1", use: "sig", algorithm: algorithm.rawValue))
            let claims = try parties.idToken(nonce: Self.nonce).split(separator: ".")[1]
            let payload = try #require(Base64URL.decode(claims))
            let token = try JOSESigner(pair).sign(payload: payload, typ: "JWT")
            let keys = ProviderKeys(try JWKSet([.publicKey(pair.publicKey)]))
            let found = code(try verify(String(decoding: token, as: UTF8.self), keys: keys))
            #expect(found == expected)
        }
    }

    @Test("Configured roots: keys that were not verified up to them are not used")
    func roots() throws {
        var configuration = parties.configuration
        configuration.jwksTrustedRootCertificates = [[0x30, 0x01]]
        let token = try token()
        #expect(code(try verify(token, configuration: configuration)) == .keysNotTrusted)
        let set = try parties.providerKeys().set
        let wrong = ProviderKeys(set, verifiedAgainst: [[0x30, 0x02]])
        #expect(
            code(try verify(token, configuration: configuration, keys: wrong)) == .keysNotTrusted)
        let right = ProviderKeys(set, verifiedAgainst: [[0x30, 0x01]])
        #expect(code(try verify(token, configuration: configuration, keys: right)) == nil)
    }

    @Test("Kerberos tickets come along when every value is there")
    func kerberos() throws {
        var configuration = parties.configuration
        let mapping = KerberosTicketMapping(ticketKeyPath: "tickets.login_tgt")
        configuration.kerberosTicketMappings = [
            mapping, KerberosTicketMapping(ticketKeyPath: "cloud_tgt"),
        ]
        let ticket = KerberosTicket(
            messageBuffer: [0x6B, 1, 2], realm: "EXAMPLE.COM", serviceName: "krbtgt/EXAMPLE.COM",
            clientName: "foo", encryptionKeyType: 18,
            sessionKey: Secret([UInt8](repeating: 3, count: 32)))
        var response = parties.loginResponse(try token())
        response.more["tickets"] = ["login_tgt": ticket.json(mapping)]
        response.more["cloud_tgt"] = ["realm": "EXAMPLE.COM"]
        let verifier = LoginResponseVerifier(
            configuration: configuration, keys: try parties.providerKeys())
        let login = try verifier.verify(response, nonce: Self.nonce, now: TestParties.now).get()
        #expect(login.kerberosTickets == [ticket])
    }

    @Test("A ticket with one value wrong or missing is none")
    func noTicket() throws {
        let mapping = KerberosTicketMapping(ticketKeyPath: "login_tgt", realmKeyName: "r")
        let whole: JSONObject = try #require(
            KerberosTicket(
                messageBuffer: [1], realm: "R", serviceName: "s", clientName: "c",
                encryptionKeyType: 18, sessionKey: Secret([1])
            ).json(mapping).object)
        func ticket(_ members: JSONObject) -> KerberosTicket? {
            KerberosTicket(
                mapping, in: JSONObject([.init(name: "login_tgt", value: .object(members))]))
        }
        #expect(ticket(whole) != nil)
        for name in whole.names {
            for value: JSONValue? in [nil, .null, "", "*", .integer(.max), []] {
                var members = whole
                members[name] = value
                let isText = ["r", "serviceName", "clientName"].contains(name)
                #expect((ticket(members) == nil) == !(isText && value == "*"))
            }
        }
    }
}
