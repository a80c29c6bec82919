// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing
import WebAuthn

/// Attacks with the credential of another person, another credential of the same person, or an
/// older state of it.
@Suite struct CredentialAttackTests {
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
        // A record without a person is not this person's.
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
}
