// SPDX-License-Identifier: Apache-2.0
import Testing
import WebAuthn

/// What is concluded from a credential, and how `acr` and `amr` say it.
@Suite struct AssuranceTests {
    private static func facts(
        backupEligible: Bool = false, attachment: AuthenticatorAttachment? = .crossPlatform,
        transports: [String] = ["usb"], trust: AttestationTrust = .anchored
    ) -> CredentialProperties {
        CredentialProperties(
            isBackupEligible: backupEligible, attachment: attachment, transports: transports,
            trust: trust)
    }

    @Test("Device-bound, roaming and anchored is an attested security key")
    func attested() {
        #expect(Self.facts().assurance == .attestedSecurityKey)
        #expect(Self.facts(attachment: nil, transports: ["nfc"]).assurance == .attestedSecurityKey)
    }

    @Test(
        "Without an anchor it is a security key", arguments: [AttestationTrust.none, .unanchored])
    func unattested(_ trust: AttestationTrust) {
        #expect(Self.facts(trust: trust).assurance == .securityKey)
    }

    @Test("A credential that may be backed up is a passkey, whatever its attestation")
    func synchronised() {
        #expect(Self.facts(backupEligible: true).assurance == .passkey)
    }

    @Test("A platform authenticator is no security key, whatever transports it names")
    func platform() {
        #expect(Self.facts(attachment: .platform).assurance == .passkey)
        #expect(Self.facts(attachment: nil, transports: ["internal"]).assurance == .passkey)
        #expect(Self.facts(attachment: nil, transports: ["hybrid"]).assurance == .passkey)
        #expect(Self.facts(attachment: nil, transports: []).assurance == .passkey)
    }

    @Test("Levels are ordered")
    func order() {
        #expect(Assurance.allCases.sorted() == [.passkey, .securityKey, .attestedSecurityKey])
    }

    @Test("phrh needs a device-bound key, user verification and the evidence asked for")
    func context() {
        #expect(Self.facts().context(isUserVerified: true) == .phishingResistantHardware)
        #expect(Self.facts().context(isUserVerified: false) == .phishingResistant)
        let claimed = Self.facts(trust: .none)
        #expect(claimed.context(isUserVerified: true) == .phishingResistant)
        #expect(
            claimed.context(isUserVerified: true, trusting: .claimed) == .phishingResistantHardware)
        for evidence in HardwareEvidence.allCases {
            #expect(
                Self.facts(backupEligible: true).context(isUserVerified: true, trusting: evidence)
                    == .phishingResistant)
        }
    }

    @Test("amr names the key, presence, what verified the person, and mfa only with verification")
    func methods() {
        #expect(Self.facts().methods(isUserVerified: true) == ["hwk", "user", "mfa"])
        #expect(Self.facts().methods(isUserVerified: false) == ["hwk", "user"])
        #expect(
            Self.facts(backupEligible: true).methods(isUserVerified: true)
                == ["swk", "user", "mfa"])
        #expect(
            Self.facts().methods(
                isUserVerified: true,
                verification: [.presenceInternal, .passcodeExternal, .patternInternal, .all])
                == ["hwk", "user", "pin", "mfa"])
        #expect(
            Self.facts().methods(isUserVerified: false, verification: [.fingerprintInternal])
                == ["hwk", "user"])
    }
}
