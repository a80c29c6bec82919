// SPDX-License-Identifier: Apache-2.0
import JOSE
import Support
import Testing
import WebAuthn

/// Section 7.2, one spoilt part at a time. The numbers are those of the attack list.
@Suite struct AuthenticationTests {
    @Test("A passkey that does everything right signs in")
    func accepted() throws {
        let verified = try AssertionCeremony().verify().get()
        #expect(verified.signCount == 5)
        #expect(verified.signCountOutcome == .increased)
        #expect(verified.isUserVerified && verified.isBackupEligible && verified.isBackedUp)
    }

    @Test("Its JSON is read whole")
    func json() throws {
        var ceremony = AssertionCeremony()
        let json = try ceremony.passkey.assertion(
            challenge: ceremony.challenge, origin: ceremony.origin)
        let response = try UnverifiedAssertion(json: json.bytes)
        #expect(response.userHandle == [7, 7])
        let verified = try ceremony.party.verify(
            assertion: response, for: ceremony.stored, expecting: ceremony.expectation
        ).get()
        #expect(verified.signCount == 6)
    }

    @Test("Step 5: a credential that was not allowed is refused (11)")
    func allowCredentials() throws {
        var ceremony = AssertionCeremony()
        ceremony.expectation.allowCredentials = [[1], [2]]
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 5, .credentialNotAllowed))
        ceremony.expectation.allowCredentials.append(ceremony.passkey.credentialId)
        _ = try ceremony.verify().get()
    }

    @Test("Step 6: the record of another credential is refused (9)")
    func otherRecord() throws {
        var ceremony = AssertionCeremony()
        ceremony.stored.id = [1, 2]
        #expect(try ceremony.verify().refusal == refusal(.authentication, 6, .credentialUnknown))
    }

    @Test("Step 6: another person's user handle is refused (9, 10)")
    func otherPerson() throws {
        var ceremony = AssertionCeremony()
        for handle in [[7, 8], [7], [7, 7, 7]] as [[UInt8]] {
            ceremony.userHandle = handle
            #expect(
                try ceremony.verify().refusal == refusal(.authentication, 6, .userHandleMismatch))
        }
    }

    @Test("Step 6: a missing user handle is refused if no person was identified before (10)")
    func noUserHandle() throws {
        var ceremony = AssertionCeremony()
        ceremony.userHandle = nil
        _ = try ceremony.verify().get()
        ceremony.expectation.requiresUserHandle = true
        #expect(try ceremony.verify().refusal == refusal(.authentication, 6, .userHandleMissing))
    }

    @Test(
        "Step 9: what is no client data is refused (26)",
        arguments: ["", "{}", "[1]", "{\"type\":"])
    func clientData(_ text: String) throws {
        var ceremony = AssertionCeremony()
        ceremony.clientData = Array(text.utf8)
        #expect(try ceremony.verify().refusal == refusal(.authentication, 9, .clientDataMalformed))
    }

    @Test(
        "Step 10: another type of ceremony is refused (7)",
        arguments: ["webauthn.create", "payment.get"])
    func type(_ type: String) throws {
        var ceremony = AssertionCeremony()
        ceremony.type = type
        #expect(try ceremony.verify().refusal == refusal(.authentication, 10, .ceremonyTypeWrong))
    }

    @Test("Step 11: another challenge is refused (1, 2)")
    func challenge() throws {
        var ceremony = AssertionCeremony()
        ceremony.challenge = [UInt8](2...33)
        #expect(try ceremony.verify().refusal == refusal(.authentication, 11, .challengeMismatch))
    }

    @Test("Step 12: another origin is refused (4)")
    func origin() throws {
        var ceremony = AssertionCeremony()
        ceremony.origin = "https://login.example.org.evil.example"
        #expect(try ceremony.verify().refusal == refusal(.authentication, 12, .originNotAllowed))
    }

    @Test("Steps 13 and 14: frames of other origins are refused (5)")
    func frames() throws {
        var ceremony = AssertionCeremony()
        ceremony.crossOrigin = true
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 13, .crossOriginNotAllowed))
        ceremony.crossOrigin = false
        ceremony.topOrigin = "https://portal.example"
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 14, .topOriginNotAllowed))
    }

    @Test("Step 15: another RP ID is refused (6)")
    func rpId() throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.rpId = "login.example.org"
        #expect(try ceremony.verify().refusal == refusal(.authentication, 15, .rpIdMismatch))
    }

    @Test("Step 15: broken authenticator data are refused (27)")
    func authenticatorData() throws {
        var ceremony = AssertionCeremony()
        let good = ceremony.passkey.authenticatorData()
        let attested = ceremony.passkey.attestedAuthenticatorData()
        for data in [
            [], Array(good.dropLast()), good + [0], good.replacing(32, with: 0x9D), attested,
        ] {
            ceremony.authenticatorData = data
            #expect(
                try ceremony.verify().refusal
                    == refusal(.authentication, 15, .authenticatorDataMalformed))
        }
    }

    @Test("Step 16: missing user presence is refused with every mediation (8)")
    func presence() throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.flags = 0b0001_1100
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 16, .userPresenceMissing))
    }

    @Test("Step 17: verification that was required and is missing is refused (8)")
    func verification() throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.flags = 0b0001_1001
        _ = try ceremony.verify().get()
        ceremony.expectation.userVerification = .required
        #expect(
            try ceremony.verify().refusal
                == refusal(.authentication, 17, .userVerificationMissing))
    }

    @Test("Step 18: backed up without being eligible is refused (16)")
    func backupFlags() throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.flags = 0b0001_0101
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 18, .backupFlagsInvalid))
    }

    @Test("Step 19: eligibility that came or went is refused, unless it was never known (16)")
    func backupEligibility() throws {
        var ceremony = AssertionCeremony()
        ceremony.stored.backupEligible = false
        #expect(
            try ceremony.verify().refusal
                == refusal(.authentication, 19, .backupEligibilityChanged))
        ceremony.stored.backupEligible = true
        ceremony.passkey.flags = 0b0000_0101
        #expect(
            try ceremony.verify().refusal
                == refusal(.authentication, 19, .backupEligibilityChanged))
        ceremony.stored.backupEligible = nil
        _ = try ceremony.verify().get()
    }

    @Test("A backup state that changed is told, for the caller to store (16)")
    func backupState() throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.flags = 0b0000_1101
        #expect(try ceremony.verify().get().isBackedUp == false)
    }

    @Test("Step 21: a signature of another key or over another message is refused")
    func signature() throws {
        var ceremony = AssertionCeremony()
        let other = SoftwareAuthenticator(
            rpId: "example.org", userHandle: [7, 7], random: SeededRandom(seed: 12))
        ceremony.stored.publicKey = other.coseKey
        #expect(try ceremony.verify().refusal == refusal(.authentication, 21, .signatureInvalid))
        ceremony = AssertionCeremony()
        ceremony.signature = try ceremony.passkey.sign(
            authenticatorData: ceremony.passkey.authenticatorData(), clientData: [])
        #expect(try ceremony.verify().refusal == refusal(.authentication, 21, .signatureInvalid))
    }

    @Test("Step 21: a stored key that cannot be read is refused, not trusted")
    func storedKey() throws {
        var ceremony = AssertionCeremony()
        ceremony.stored.publicKey.removeLast()
        #expect(try ceremony.verify().refusal == refusal(.authentication, 21, .publicKeyInvalid))
    }

    @Test(
        "Step 22: a counter that did not rise is refused (15)",
        arguments: [(5, 5), (5, 6), (0, 1), (1, .max), (5, .max)] as [(UInt32, UInt32)])
    func signCount(_ now: UInt32, _ before: UInt32) throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.signCount = now
        ceremony.stored.signCount = before
        #expect(
            try ceremony.verify().refusal == refusal(.authentication, 22, .signCountNotIncreased))
        ceremony.expectation.signCountPolicy = .report
        #expect(try ceremony.verify().get().signCountOutcome == .notIncreased)
    }

    @Test("Step 22: a counter that rose is accepted, and one that never counts (15)")
    func signCountAccepted() throws {
        var ceremony = AssertionCeremony()
        ceremony.passkey.signCount = .max
        ceremony.stored.signCount = .max - 1
        #expect(try ceremony.verify().get().signCount == .max)
        ceremony.passkey.signCount = 0
        ceremony.stored.signCount = 0
        #expect(try ceremony.verify().get().signCountOutcome == .notCounted)
    }
}
