// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import Crypto
import JOSE
import Primitives
import Support
import Testing
import WebAuthn

/// The attack list of the reference as far as it concerns a relying party without a memory. What
/// needs a store (single use, one winner) is tested with the provider.
@Suite struct RelyingPartyAttackTests {
    // MARK: Challenges

    @Test("Attack 1: a response to one challenge answers no other, nor the other ceremony")
    func replay() async throws {
        var registration = RegistrationCeremony()
        registration.expectation.challenge = [UInt8](33...64)
        #expect(
            await registration.verify().refusal
                == refusal(.registration, 8, .challengeMismatch))
        var assertion = AssertionCeremony()
        assertion.expectation.challenge = [UInt8](33...64)
        #expect(
            try assertion.verify().refusal == refusal(.authentication, 11, .challengeMismatch))
        assertion = AssertionCeremony()
        assertion.type = "webauthn.create"
        #expect(
            try assertion.verify().refusal == refusal(.authentication, 10, .ceremonyTypeWrong))
    }

    @Test("Attack 2: a challenge that the response brings along itself counts for nothing")
    func ownChallenge() async {
        var ceremony = RegistrationCeremony()
        ceremony.challenge = [UInt8](repeating: 9, count: 32)
        ceremony.clientExtensions["challenge"] = .string(Base64URL.encode(ceremony.challenge))
        #expect(
            await ceremony.verify().refusal == refusal(.registration, 8, .challengeMismatch))
    }

    @Test(
        "Attack 3: challenges are 32 random bytes; an empty one, a prefix and another spelling fail"
    )
    func challengeStrength() async {
        let random = SeededRandom(seed: 5)
        let made = (0..<100).map { _ in RelyingParty.challenge(from: random) }
        #expect(made.allSatisfy { $0.count == 32 } && Set(made).count == 100)
        var ceremony = RegistrationCeremony()
        for text in ["AQ", Base64URL.encode([UInt8](1...32)) + "=", " AQ", "\u{FF21}Q"] {
            ceremony.clientData = Array(
                #"{"type":"webauthn.create","challenge":"\#(text)","origin":"\#(ceremony.origin)"}"#
                    .utf8)
            #expect(
                await ceremony.verify().refusal == refusal(.registration, 8, .challengeMismatch))
        }
        ceremony = RegistrationCeremony()
        ceremony.expectation.challenge = []
        ceremony.clientData = Array(
            #"{"type":"webauthn.create","challenge":"","origin":"\#(ceremony.origin)"}"#.utf8)
        #expect(
            await ceremony.verify().refusal == refusal(.registration, 6, .clientDataMalformed))
    }

    // MARK: Where it happens

    static let origins = [
        "http://login.example.org", "https://login.example.org:8443",
        "https://login.example.org:443",
        "https://evil-login.example.org", "https://evillogin.example.org",
        "https://login.example.org.evil.example", "https://login.example.org.",
        "https://LOGIN.example.org", "https://xn--lgin-5qa.example.org",
        "https://l\u{043E}gin.example.org", "https://user@login.example.org",
        "https://login.example.org/", "https://example.org", "https://sub.login.example.org",
        "null",
        "file://", "android:apk-key-hash:AAAA", "ios:bundle-id:org.example",
        "https://login.example.org%00", "https://login.example.org\u{0}",
        " https://login.example.org",
    ]

    @Test("Attack 4: an origin that only resembles ours is refused", arguments: origins)
    func origin(_ origin: String) async throws {
        var registration = RegistrationCeremony()
        registration.origin = origin
        #expect(
            await registration.verify().refusal == refusal(.registration, 9, .originNotAllowed))
        var assertion = AssertionCeremony()
        assertion.origin = origin
        #expect(try assertion.verify().refusal == refusal(.authentication, 12, .originNotAllowed))
    }

    @Test("Attack 5: crossOrigin and topOrigin are refused without opt-in, and by list with it")
    func frames() async throws {
        var ceremony = AssertionCeremony()
        ceremony.crossOrigin = true
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 13, .crossOriginNotAllowed))
        ceremony.topOrigin = "https://portal.example"
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 13, .crossOriginNotAllowed))
        // Frames allowed, but not this one's surroundings.
        let origins = [RegistrationCeremony.origin]
        ceremony.party = RelyingParty(id: "example.org", origins: origins, allowCrossOrigin: true)
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 14, .topOriginNotAllowed))
        ceremony.party = RelyingParty(
            id: "example.org", origins: origins, topOrigins: ["https://portal.example"],
            allowCrossOrigin: true)
        _ = try ceremony.verify().get()
        for other in [
            "https://portal.example.", "http://portal.example", "https://portal.example:444",
            "https://a.portal.example", RegistrationCeremony.origin,
        ] {
            ceremony.topOrigin = other
            #expect(
                try ceremony.verify().refusal == refusal(.authentication, 14, .topOriginNotAllowed))
        }
        // A list alone opens nothing.
        ceremony.topOrigin = "https://portal.example"
        ceremony.party = RelyingParty(
            id: "example.org", origins: origins, topOrigins: ["https://portal.example"])
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 13, .crossOriginNotAllowed))
    }

    @Test(
        "Attack 6: the RP ID hash of a parent, a child, a sibling or an origin is refused",
        arguments: [
            "org", "login.example.org", "example.com", "EXAMPLE.ORG", "example.org.", "",
            "https://example.org", "example.org:443",
        ])
    func rpIdHash(_ id: String) async throws {
        var registration = RegistrationCeremony()
        registration.passkey.rpId = id
        #expect(await registration.verify().refusal == refusal(.registration, 14, .rpIdMismatch))
        var assertion = AssertionCeremony()
        assertion.passkey.rpId = id
        #expect(try assertion.verify().refusal == refusal(.authentication, 15, .rpIdMismatch))
    }

    @Test("Attack 7: a registration is no sign-in, a sign-in no registration, a payment neither")
    func types() async throws {
        for type in ["webauthn.get", "payment.get", "webauthn.create\u{0}", "WEBAUTHN.CREATE"] {
            var ceremony = RegistrationCeremony()
            ceremony.type = type
            #expect(
                await ceremony.verify().refusal == refusal(.registration, 7, .ceremonyTypeWrong))
        }
        for type in ["webauthn.create", "payment.get", "webauthn.get "] {
            var ceremony = AssertionCeremony()
            ceremony.type = type
            #expect(
                try ceremony.verify().refusal == refusal(.authentication, 10, .ceremonyTypeWrong))
        }
        // Authenticator data of a registration, signed as if for a sign-in.
        var ceremony = AssertionCeremony()
        ceremony.authenticatorData = ceremony.passkey.attestedAuthenticatorData()
        #expect(
            try ceremony.verify().refusal
                == refusal(.authentication, 15, .authenticatorDataMalformed))
    }

    @Test("Attack 8: verification cannot be talked down, nor presence left out")
    func downgrade() async throws {
        for flags in [0b0000_0001, 0b0001_1001, 0b1010_0011 & 0b0111_1111] as [UInt8] {
            var assertion = AssertionCeremony()
            assertion.passkey.flags = flags & 0b0001_1111
            assertion.stored.backupEligible = nil
            assertion.expectation.userVerification = .required
            // The client's word does not stand in for the flag.
            assertion.clientExtensions["uvm"] = [[2, 4, 2]]
            let refused = try assertion.verify().refusal
            #expect(refused == refusal(.authentication, 17, .userVerificationMissing))
        }
        var assertion = AssertionCeremony()
        assertion.passkey.flags = 0b0000_1100
        #expect(
            try assertion.verify().refusal == refusal(.authentication, 16, .userPresenceMissing))
        var registration = RegistrationCeremony()
        registration.passkey.flags = 0b0000_1100
        #expect(
            await registration.verify().refusal
                == refusal(.registration, 15, .userPresenceMissing))
    }

    // MARK: Whose credential

    @Test("Attack 9: a credential of another person than was named is refused")
    func owner() throws {
        var ceremony = AssertionCeremony()
        ceremony.expectation.owner = [8, 8]
        for handle in [nil, [7, 7], [8, 8]] as [[UInt8]?] {
            ceremony.userHandle = handle
            #expect(
                try ceremony.verify().refusal
                    == refusal(.authentication, 6, .credentialOwnerMismatch))
        }
        ceremony.userHandle = [7, 7]
        ceremony.expectation.owner = [7, 7]
        _ = try ceremony.verify().get()
        // A record of nobody is not this person's.
        ceremony.stored.userHandle = nil
        #expect(
            try ceremony.verify().refusal
                == refusal(.authentication, 6, .credentialOwnerMismatch))
    }

    @Test("Attack 10: a user handle that is another's, missing or too long is refused")
    func userHandle() throws {
        var ceremony = AssertionCeremony()
        ceremony.userHandle = [7, 8]
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 6, .userHandleMismatch))
        ceremony.userHandle = nil
        ceremony.expectation.requiresUserHandle = true
        #expect(try ceremony.verify().refusal == refusal(.authentication, 6, .userHandleMissing))
        let long = Base64URL.encode([UInt8](repeating: 7, count: 65))
        let made = try ceremony.passkey.assertion(
            challenge: ceremony.challenge, origin: ceremony.origin)
        var json = made.object ?? JSONObject()
        var parts = json["response"]?.object ?? JSONObject()
        parts["userHandle"] = .string(long)
        json["response"] = .object(parts)
        #expect(throws: refusal(.authentication, 3, .responseMalformed)) {
            try UnverifiedAssertion(json: .object(json))
        }
    }

    @Test("Attack 11: a credential outside allowCredentials is refused, however it is related")
    func allowList() throws {
        var ceremony = AssertionCeremony()
        let id = ceremony.passkey.credentialId
        for allowed in [[[]], [id + [0]], [Array(id.dropLast())], [[1], [2]]] as [[[UInt8]]] {
            ceremony.expectation.allowCredentials = allowed
            #expect(
                try ceremony.verify().refusal
                    == refusal(.authentication, 5, .credentialNotAllowed))
        }
    }

    @Test("Attack 12: id, rawId and the attested id must be one")
    func ids() async throws {
        let ceremony = RegistrationCeremony()
        let made = ceremony.passkey.registration(
            challenge: ceremony.challenge, origin: ceremony.origin)
        var json = made.object ?? JSONObject()
        json["rawId"] = "AAAA"
        #expect(throws: refusal(.registration, 3, .credentialIdMismatch)) {
            try UnverifiedRegistration(json: .object(json))
        }
        json["id"] = "AAAA"
        let both = try UnverifiedRegistration(json: .object(json))
        let result = await ceremony.party.verify(
            registration: both, expecting: ceremony.expectation)
        #expect(result.refusal == refusal(.registration, 25, .credentialIdMismatch))
    }

    @Test("Attack 13: a record of another credential is not taken for the one that answered")
    func collision() throws {
        var ceremony = AssertionCeremony()
        ceremony.stored.id = ceremony.stored.id + [0]
        #expect(try ceremony.verify().refusal == refusal(.authentication, 6, .credentialUnknown))
    }

    @Test("Attack 14: credential ids of impossible length are refused, long or cut short")
    func idLength() async {
        for length in [0, 1024, 65_000] {
            var ceremony = RegistrationCeremony()
            ceremony.passkey.credentialId = [UInt8](repeating: 3, count: length)
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 25, .credentialIdLengthInvalid))
        }
        // The longest that the length can say makes an object that is too long to be read.
        var longest = RegistrationCeremony()
        longest.passkey.credentialId = [UInt8](repeating: 3, count: 65535)
        #expect(
            await longest.verify().refusal
                == refusal(.registration, 13, .attestationObjectMalformed))
        for length in [33, 1023, 0xFFFF] {
            var ceremony = RegistrationCeremony()
            let good = ceremony.passkey.attestedAuthenticatorData()
            ceremony.authenticatorData = good.replacing(53, with: UInt8(length >> 8))
                .replacing(54, with: UInt8(length & 0xFF))
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 13, .authenticatorDataMalformed))
        }
    }

    // MARK: State

    @Test("Attack 15: a counter that is equal, lower, back at zero or wrapped is refused")
    func counter() throws {
        for (now, before) in [(4, 4), (3, 4), (0, 4), (0, .max), (1, .max)] as [(UInt32, UInt32)] {
            var ceremony = AssertionCeremony()
            ceremony.passkey.signCount = now
            ceremony.stored.signCount = before
            #expect(
                try ceremony.verify().refusal
                    == refusal(.authentication, 22, .signCountNotIncreased))
        }
        var ceremony = AssertionCeremony()
        ceremony.passkey.signCount = .max
        ceremony.stored.signCount = .max - 1
        #expect(try ceremony.verify().get().signCount == .max)
    }

    @Test("Attack 16: BE never changes, BS never comes alone, and a changed BS is told")
    func backup() async throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.flags = 0b0000_0101
        #expect(
            try ceremony.verify().refusal
                == refusal(.authentication, 19, .backupEligibilityChanged))
        ceremony.passkey.flags = 0b0001_0101
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 18, .backupFlagsInvalid))
        for isBackedUp in [true, false] {
            ceremony.passkey.flags = isBackedUp ? 0b0001_1101 : 0b0000_1101
            #expect(try ceremony.verify().get().isBackedUp == isBackedUp)
        }
        var registration = RegistrationCeremony()
        registration.passkey.flags = 0b0001_0101
        #expect(
            await registration.verify().refusal
                == refusal(.registration, 17, .backupFlagsInvalid))
    }

    // MARK: Bytes

    @Test("Attack 26: JSON with tricks is refused, in the response and in client data")
    func json() async throws {
        let good = String(decoding: RegistrationCeremony().clientDataJSON, as: UTF8.self)
        let inner = String(good.dropFirst().dropLast())
        let hostile =
            [
                "{\(inner),\(inner)}", "{\(inner),\"type\":\"webauthn.create\"}", "[\(good)]",
                "{\(inner)}{}", "{\(inner),}", "{\(inner) /* */}", "{\(inner),\"x\":NaN}",
                "{\(inner),\"x\":\"\u{1}\"}", "{\(inner),\"x\":\"\\ud800\"}",
                "{\(inner),\"x\":\(String(repeating: "[", count: 500))",
                "{\(inner),\"x\":\"\(String(repeating: "y", count: 9000))\"}",
                good.replacing("\"https", with: "7,\"o\":\"https"),
            ].map { Array($0.utf8) } + [
                Array(good.utf8.dropLast()) + [0xC0, 0x80, 0x7D], [0xFE, 0xFF] + Array(good.utf8),
            ]
        for bytes in hostile {
            var ceremony = RegistrationCeremony()
            ceremony.clientData = bytes
            #expect(
                await ceremony.verify().refusal
                    == refusal(.registration, 6, .clientDataMalformed))
            #expect(throws: refusal(.registration, 3, .responseMalformed)) {
                try UnverifiedRegistration(json: bytes)
            }
        }
        #expect(throws: refusal(.authentication, 3, .responseMalformed)) {
            try UnverifiedAssertion(json: [UInt8](repeating: 0x20, count: 10 << 20))
        }
    }

    @Test("Attack 26: base64 with padding, the standard alphabet or line breaks is refused")
    func base64() {
        let passkey = RegistrationCeremony().passkey
        for suffix in ["=", "==", "\n", " ", "+", "/", "\u{0}"] {
            let made = passkey.registration(challenge: [1], origin: "https://a.example")
            var json = made.object ?? JSONObject()
            var parts = json["response"]?.object ?? JSONObject()
            parts["clientDataJSON"] = .string((parts["clientDataJSON"]?.string ?? "") + suffix)
            json["response"] = .object(parts)
            #expect(throws: refusal(.registration, 3, .responseMalformed)) {
                try UnverifiedRegistration(json: .object(json))
            }
        }
    }

    @Test("Attack 27: authenticator data whose flags and length disagree are refused")
    func authenticatorData() async throws {
        let passkey = AssertionCeremony().passkey
        let plain = passkey.authenticatorData()
        let withExtensions = plain.extended(by: [CBOREntry(.text("x"), .bool(true))])
        let flags = plain[32]
        let hostile: [[UInt8]] = [
            [], Array(plain.dropLast()), plain + [0], plain.replacing(32, with: flags | 0x80),
            plain.replacing(32, with: flags | 0x40), withExtensions.replacing(32, with: flags),
            withExtensions + [0], Array(withExtensions.dropLast()),
            // ED with what is no map, or a map with keys that are no text.
            plain.replacing(32, with: flags | 0x80) + [0x81, 0x01],
            plain.replacing(32, with: flags | 0x80) + [0xA1, 0x01, 0x01],
            plain.replacing(32, with: flags | 0x80) + [0xBF, 0xFF],
        ]
        for data in hostile {
            var ceremony = AssertionCeremony()
            ceremony.authenticatorData = data
            #expect(
                try ceremony.verify().refusal
                    == refusal(.authentication, 15, .authenticatorDataMalformed))
        }
        // Reserved bits are ignored (section 6.1).
        var ceremony = AssertionCeremony()
        ceremony.passkey.flags |= 0b0010_0010
        _ = try ceremony.verify().get()
        // A registration without a credential in it.
        var registration = RegistrationCeremony()
        registration.authenticatorData = plain
        #expect(
            await registration.verify().refusal
                == refusal(.registration, 13, .authenticatorDataMalformed))
    }

    // MARK: Time

    @Test("Attack 44: certificates and metadata are judged at the given moment, to the second")
    func clock() async throws {
        let authority = try AttestationAuthority()
        let publisher = try MetadataPublisher(authority: authority)
        let verifier = try publisher.verifier()
        let bytes = try publisher.blob()
        for (seconds, isValid) in [
            (1_699_999_999, false), (1_700_000_000, true), (1_900_000_000, true),
            (1_900_000_001, false),
        ] as [(Int64, Bool)] {
            let now = Timestamp(seconds: seconds)
            if isValid {
                _ = try await verifier.verify(bytes, now: now)
            } else {
                await #expect(throws: MetadataRefusal(.chainUntrusted, "")) {
                    try await verifier.verify(bytes, now: now)
                }
            }
        }
        for moment in [Timestamp(milliseconds: .min), Timestamp(milliseconds: .max)] {
            await #expect(throws: MetadataRefusal(.chainUntrusted, "")) {
                try await verifier.verify(bytes, now: moment)
            }
        }
    }
}
