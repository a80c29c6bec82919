// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Support
import Testing
import WebAuthn

/// The attack list of the reference as far as it concerns a relying party without a memory: challenges,
/// places and kinds of ceremonies. What needs a store (single use, one winner) is tested with the provider.
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
            // The client's statement does not replace the flag.
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
}
