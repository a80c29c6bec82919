// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing

@Suite("JWT claims")
struct ClaimsTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let policy = ClaimsPolicy(
        issuers: ["https://id.example"], audience: .includesOne(of: ["shop"]), types: ["JWT"],
        required: ["jti"], maximumAge: .minutes(5), maximumLifetime: .minutes(10))
    private static let good =
        #""iss":"https://id.example","aud":"shop","jti":"1","sub":"anna","exp":1800000060,"iat":1799999990"#

    private func check(
        _ members: String, _ policy: ClaimsPolicy = policy, typ: String = "JWT"
    ) throws -> VerifiedClaims {
        let pair = try Keys.pair(.es256)
        let message = try JOSESigner(pair).sign(payload: bytes("{\(members)}"), typ: typ)
        let verified = try JWSVerifier(key: .publicKey(pair.publicKey), algorithms: [.es256])
            .verify(compact: message)
        return try policy.verify(verified, now: Self.now)
    }

    @Test("Good claims are accepted and typed")
    func accepted() throws {
        let claims = try check(Self.good)
        #expect(claims.issuer == "https://id.example")
        #expect(claims.audience == ["shop"])
        #expect(claims.expiresAt == Timestamp(seconds: 1_800_000_060))
        #expect(claims.identifier == "1")
        #expect(claims["sub"] == "anna")
    }

    @Test(
        "Claims that are wrong, missing or of the wrong type are refused",
        arguments: [
            (#""iss":"https://id.example""#, #""iss":"https://id.example/""#, .issuerMismatch),
            (#""iss":"https://id.example","#, "", .issuerMismatch),
            (#""iss":"https://id.example""#, #""iss":1"#, .claimsMalformed),
            (#""aud":"shop""#, #""aud":"wiki""#, .audienceMismatch),
            (#""aud":"shop","#, "", .audienceMismatch),
            (#""aud":"shop""#, #""aud":[]"#, .audienceMismatch),
            (#""aud":"shop""#, #""aud":["shop",1]"#, .claimsMalformed),
            (#""aud":"shop""#, #""aud":{}"#, .claimsMalformed),
            (#""jti":"1","#, "", .claimMissing), (#""jti":"1""#, #""jti":null"#, .claimsMalformed),
            (#""exp":1800000060,"#, "", .claimMissing),
            ("1800000060", "1799999990", .expired), ("1800000060", "1800000611", .tooOld),
            ("1800000060", "\"1800000060\"", .claimsMalformed),
            ("1800000060", "1e300", .claimsMalformed), ("1800000060", "-1e300", .claimsMalformed),
            ("1800000060", "9223372036854775807", .claimsMalformed),
            ("1800000060", "true", .claimsMalformed), ("1800000060", "null", .claimsMalformed),
            (#""iat":1799999990"#, #""iat":1800000011"#, .notYetValid),
            (#""iat":1799999990"#, #""iat":1799999690"#, .tooOld),
            (#","iat":1799999990"#, "", .claimMissing),
            (#""sub":"anna""#, #""nbf":1800000011"#, .notYetValid),
            (#""sub":"anna""#, #""sub":["anna"]"#, .claimsMalformed),
        ] as [(String, String, JOSEError.Code)])
    func refused(_ part: String, _ replacement: String, _ expected: JOSEError.Code) {
        let members = Self.good.replacing(part, with: replacement, maxReplacements: 1)
        #expect(members != Self.good)
        #expect(code { _ = try check(members) } == expected)
    }

    @Test("Expiry is exact to the millisecond, with the leeway on top")
    func expiry() throws {
        _ = try check(Self.good.replacing("1800000060", with: "1799999991"))
        #expect(
            code { _ = try check(Self.good.replacing("1800000060", with: "1799999990")) }
                == .expired)
        _ = try check(Self.good.replacing("1800000060", with: "1799999990.5"))
    }

    @Test("A type is compared without case and prefix, and another type is refused")
    func types() throws {
        _ = try check(Self.good, typ: "jwt")
        _ = try check(Self.good, typ: "application/JWT")
        for typ in ["at+jwt", "", "JWT ", "application/", "text/JWT"] {
            #expect(code { _ = try check(Self.good, typ: typ) } == .typeMismatch)
        }
    }

    @Test("An audience that must be one string is not taken from an array")
    func exactAudience() throws {
        var policy = Self.policy
        policy.audience = .exactlyOneString(oneOf: ["shop"])
        _ = try check(Self.good, policy)
        let array = Self.good.replacing(#""shop""#, with: #"["shop"]"#)
        #expect(code { _ = try check(array, policy) } == .audienceMismatch)
        policy.audience = .only(oneOf: ["shop"])
        _ = try check(array, policy)
        let two = Self.good.replacing(#""shop""#, with: #"["shop","wiki"]"#)
        #expect(code { _ = try check(two, policy) } == .audienceMismatch)
        policy.audience = .includesOne(of: ["shop"])
        _ = try check(two, policy)
    }

    @Test("Expiry can be waived by name only, and malformed it never can")
    func waivedExpiry() throws {
        var policy = Self.policy
        policy.expiry = .ignored
        policy.maximumAge = nil
        _ = try check(Self.good.replacing("1800000060", with: "1"), policy)
        #expect(
            code { _ = try check(Self.good.replacing("1800000060", with: "[]"), policy) }
                == .claimsMalformed)
        policy.expiry = .checkedWhenPresent
        _ = try check(Self.good.replacing(#""exp":1800000060,"#, with: ""), policy)
        #expect(
            code { _ = try check(Self.good.replacing("1800000060", with: "1"), policy) }
                == .expired)
    }

    @Test("A subject that differs by canonical equivalence only is another subject")
    func subject() throws {
        var policy = Self.policy
        policy.subject = "K"
        _ = try check(Self.good.replacing("anna", with: "K"), policy)
        #expect(
            code { _ = try check(Self.good.replacing("anna", with: "\u{212A}"), policy) }
                == .subjectMismatch)
    }

    @Test("A payload that is no object is refused")
    func payload() throws {
        let pair = try Keys.pair(.es256)
        for payload in ["", "[]", "1", "{\"a\":1,\"a\":2}", "\u{FEFF}{}"] {
            let message = try JOSESigner(pair).sign(payload: bytes(payload), typ: "JWT")
            let verified = try JWSVerifier(key: .privateKey(pair), algorithms: [.es256])
                .verify(compact: message)
            #expect(
                code { _ = try Self.policy.verify(verified, now: Self.now) } == .claimsMalformed)
        }
    }
}
