// SPDX-License-Identifier: Apache-2.0
import CBOR
import JOSE
import Testing
import WebAuthn

/// Section 7.1, one spoilt part at a time. The numbers are those of the attack list.
@Suite struct RegistrationTests {
    @Test("A passkey that does everything right is registered")
    func accepted() async throws {
        let ceremony = RegistrationCeremony()
        let verified = try await ceremony.verify().get()
        #expect(verified.credentialId == ceremony.passkey.credentialId)
        #expect(verified.publicKey == ceremony.passkey.coseKey)
        #expect(verified.algorithm == .es256)
        #expect(verified.format == "none")
        #expect(verified.attestationType == .none)
        #expect(verified.aaguid.isZero)
        #expect(verified.isUserVerified && verified.isBackupEligible && verified.isBackedUp)
    }

    @Test("Its JSON is read whole, transports and all")
    func json() async throws {
        let ceremony = RegistrationCeremony()
        let json = ceremony.passkey.registration(
            challenge: ceremony.challenge, origin: ceremony.origin)
        let response = try UnverifiedRegistration(json: json.bytes)
        let verified = try await ceremony.party
            .verify(registration: response, expecting: ceremony.expectation).get()
        #expect(verified.transports == ["internal", "hybrid"])
        #expect(verified.authenticatorAttachment == .platform)
    }

    @Test(
        "Step 6: what is no client data is refused (26)",
        arguments: [
            "", "[]", "{", "{}", "null", #"{"type":"webauthn.create"}"#,
            #"{"type":"webauthn.create","type":"webauthn.create"}"#,
            #"{"type":1,"challenge":"AA","origin":"https://login.example.org"}"#,
            #"{"type":"webauthn.create","challenge":"","origin":"https://login.example.org"}"#,
            #"{"type":"webauthn.create","challenge":"AA","origin":null}"#,
            #"{"type":"webauthn.create","challenge":"AA","origin":"a","crossOrigin":"false"}"#,
            #"{"type":"webauthn.create","challenge":"AA","origin":"a","topOrigin":7}"#,
            #"{"type":"webauthn.create","challenge":"AA","origin":"a","tokenBinding":"x"}"#,
            #"{"type":"webauthn.create","challenge":"AA","origin":"a","tokenBinding":{}}"#,
            #"{"type":"webauthn.create","challenge":"AA","origin":"a","tokenBinding":{"status":"?"}}"#,
            #"{"type":"webauthn.create","challenge":"AA","origin":"a"} x"#,
        ])
    func clientDataMalformed(_ text: String) async {
        var ceremony = RegistrationCeremony()
        ceremony.clientData = Array(text.utf8)
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 6, .clientDataMalformed))
    }

    @Test("Step 6: invalid UTF-8, absurd depth and absurd length are refused (26)")
    func clientDataHostile() async {
        let good = RegistrationCeremony().clientDataJSON
        let hostile: [[UInt8]] = [
            good.dropLast() + Array(#","x":"#.utf8) + [0x22, 0xFF, 0x22, 0x7D],
            good.dropLast() + Array(#","x":"#.utf8) + [UInt8](repeating: 0x5B, count: 4000),
            good.dropLast() + Array(#","x":""#.utf8) + [UInt8](repeating: 0x61, count: 9000)
                + Array(#""}"#.utf8),
        ]
        for bytes in hostile {
            var ceremony = RegistrationCeremony()
            ceremony.clientData = bytes
            let refused = await ceremony.verify().refusal
            #expect(refused == refusal(.registration, 6, .clientDataMalformed))
        }
    }

    @Test("Unknown members and a byte order mark do no harm (5.8.1, UTF-8 decode)")
    func clientDataExtended() async throws {
        var ceremony = RegistrationCeremony()
        let good = ceremony.clientDataJSON
        ceremony.clientData =
            [0xEF, 0xBB, 0xBF] + good.dropLast() + Array(#","other":{"a":[1]}}"#.utf8)
        _ = try await ceremony.verify().get()
    }

    @Test(
        "Step 7: another type of ceremony is refused (7)",
        arguments: ["webauthn.get", "payment.get", "webauthn.Create", "webauthn.create "])
    func type(_ type: String) async {
        var ceremony = RegistrationCeremony()
        ceremony.type = type
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 7, .ceremonyTypeWrong))
    }

    @Test("Step 8: another challenge, a shorter one and a longer one are refused (1, 2)")
    func challenge() async {
        for challenge in [[UInt8](2...33), [UInt8](1...31), [UInt8](1...33), [9]] {
            var ceremony = RegistrationCeremony()
            ceremony.challenge = challenge
            let refused = await ceremony.verify().refusal
            #expect(refused == refusal(.registration, 8, .challengeMismatch))
        }
    }

    @Test("Step 8: a challenge that was never given out matches nothing (3)")
    func emptyChallenge() async {
        var ceremony = RegistrationCeremony()
        ceremony.expectation.challenge = []
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 8, .challengeMismatch))
    }

    @Test(
        "Step 9: an origin that only looks like ours is refused (4)",
        arguments: [
            "http://login.example.org", "https://login.example.org:443",
            "https://login.example.org:8443", "https://login.example.org/",
            "https://login.example.org.", "https://LOGIN.example.org", "https://example.org",
            "https://evil-login.example.org", "https://login.example.org.evil.example",
            "https://user@login.example.org", "https://xn--lgin-0qa.example.org", "null",
            "android:apk-key-hash:AAAA", "https://login.example.org\u{0}",
            "https://log\u{131}n.example.org",
        ])
    func origin(_ origin: String) async {
        var ceremony = RegistrationCeremony()
        ceremony.origin = origin
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 9, .originNotAllowed))
    }

    @Test("Step 9: an origin equal only after Unicode normalisation is refused (4)")
    func canonicalEquivalence() async {
        var ceremony = RegistrationCeremony()
        ceremony.party = RelyingParty(id: "example.org", origins: ["https://caf\u{E9}.example.org"])
        ceremony.origin = "https://cafe\u{301}.example.org"
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 9, .originNotAllowed))
    }

    @Test("Steps 10 and 11: frames of other origins are refused (5)")
    func frames() async throws {
        var ceremony = RegistrationCeremony()
        ceremony.crossOrigin = true
        var refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 10, .crossOriginNotAllowed))
        ceremony.crossOrigin = false
        ceremony.topOrigin = "https://portal.example"
        refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 11, .topOriginNotAllowed))
        ceremony.party = RelyingParty(
            id: "example.org", origins: [ceremony.origin], topOrigins: ["https://portal.example"],
            allowCrossOrigin: true)
        refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 11, .topOriginNotAllowed))
        ceremony.crossOrigin = true
        _ = try await ceremony.verify().get()
        ceremony.topOrigin = "https://other.example"
        refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 11, .topOriginNotAllowed))
    }

    @Test("Step 14: the RP ID of a parent, a sibling or another is refused (6)")
    func rpId() async {
        for id in ["org", "login.example.org", "example.com", "EXAMPLE.org"] {
            var ceremony = RegistrationCeremony()
            ceremony.passkey.rpId = id
            let refused = await ceremony.verify().refusal
            #expect(refused == refusal(.registration, 14, .rpIdMismatch))
        }
    }

    @Test("Step 15: missing user presence is refused, except in conditional creation (8)")
    func presence() async throws {
        var ceremony = RegistrationCeremony()
        ceremony.passkey.flags = 0b0001_1000
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 15, .userPresenceMissing))
        ceremony.expectation.isConditional = true
        _ = try await ceremony.verify().get()
    }

    @Test("Step 16: verification that was required and is missing is refused (8)")
    func verification() async throws {
        var ceremony = RegistrationCeremony()
        ceremony.passkey.flags = 0b0001_1001
        _ = try await ceremony.verify().get()
        ceremony.expectation.userVerification = .required
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 16, .userVerificationMissing))
    }

    @Test("Step 17: backed up without being eligible is refused (16)")
    func backupFlags() async {
        var ceremony = RegistrationCeremony()
        ceremony.passkey.flags = 0b0001_0101
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 17, .backupFlagsInvalid))
    }

    @Test("Step 20: an algorithm that was not offered is refused (17)")
    func algorithm() async {
        var ceremony = RegistrationCeremony()
        ceremony.expectation.algorithms.credentialKeys = [.edDSA, .rs256]
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 20, .algorithmNotAllowed))
    }

    @Test(
        "Step 21: unknown formats are refused (20)",
        arguments: ["fido-u2f2", "tpm2", "", "NONE", "apple-appattest"])
    func format(_ format: String) async {
        var ceremony = RegistrationCeremony()
        ceremony.format = format
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 21, .attestationFormatUnsupported))
    }

    @Test("Step 22: none with a statement is refused (20)")
    func noneWithStatement() async {
        var ceremony = RegistrationCeremony()
        ceremony.statement = [CBOREntry(.text("alg"), .integer(-7))]
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 22, .attestationStatementMalformed))
    }

    @Test("Step 24: none is refused by a policy that wants more")
    func noneNotAcceptable() async throws {
        var ceremony = RegistrationCeremony()
        ceremony.expectation.attestation = try AttestationPolicy(
            conveyance: .direct, acceptsNone: false)
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 24, .attestationNotAcceptable))
    }

    @Test("Step 25: credential ids of 0 and 1024 bytes are refused, of 1023 accepted (14)")
    func credentialIdLength() async throws {
        var ceremony = RegistrationCeremony()
        for length in [0, 1024, 4000] {
            ceremony.passkey.credentialId = [UInt8](repeating: 1, count: length)
            let refused = await ceremony.verify().refusal
            #expect(refused == refusal(.registration, 25, .credentialIdLengthInvalid))
        }
        ceremony.passkey.credentialId = [UInt8](repeating: 1, count: 1023)
        _ = try await ceremony.verify().get()
    }

    @Test("Step 25: an id that is not the attested one is refused (12)")
    func credentialIdMismatch() async {
        var ceremony = RegistrationCeremony()
        ceremony.claimedId = [1, 2, 3]
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 25, .credentialIdMismatch))
    }

    @Test("A refusal says step and code, and keeps the reason for the log")
    func description() {
        let refused = WebAuthnRefusal(CeremonyStep(.registration, 9), .originNotAllowed, "why")
        #expect(refused.description == "origin_not_allowed at step 7.1.9: why")
    }
}
