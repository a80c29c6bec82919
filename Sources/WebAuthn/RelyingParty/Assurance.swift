// SPDX-License-Identifier: Apache-2.0

/// What a relying party may conclude from a credential, from least to most.
///
/// Every level resists phishing, because the origin is part of what is signed. They differ in
/// where the private key is, and in who says so.
package enum Assurance: String, Sendable, CaseIterable, Comparable {
    /// Any credential: perhaps synchronised between devices, perhaps kept in the one at hand.
    case passkey
    /// Says that it cannot leave the separate device that made it (BE clear, roaming). Nobody but
    /// the authenticator and the client vouches for that.
    case securityKey = "security_key"
    /// The same, and its maker vouches for the model: the attestation leads to a trusted anchor.
    case attestedSecurityKey = "attested_security_key"

    package static func < (left: Assurance, right: Assurance) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .passkey: 0
        case .securityKey: 1
        case .attestedSecurityKey: 2
        }
    }
}

/// The facts of a registered credential that decide its ``Assurance``. Plain values, so that a
/// store can keep them and they can be judged again at each sign-in.
package struct CredentialProperties: Sendable, Equatable {
    /// BE (section 6.1.3): immutable, so the value of the registration holds at every sign-in.
    package var isBackupEligible: Bool
    /// What the client said; nobody signed it.
    package var attachment: AuthenticatorAttachment?
    /// What the client said; nobody signed it.
    package var transports: [String]
    package var trust: AttestationTrust

    package init(
        isBackupEligible: Bool, attachment: AuthenticatorAttachment?, transports: [String],
        trust: AttestationTrust
    ) {
        self.isBackupEligible = isBackupEligible
        self.attachment = attachment
        self.transports = transports
        self.trust = trust
    }

    /// Whether the private key stays in the authenticator that made it.
    package var isDeviceBound: Bool { !isBackupEligible }

    /// Whether the authenticator is a thing of its own. The attachment says so; where it is not
    /// told, a transport that only such things have does (section 5.8.4).
    package var isRoaming: Bool {
        switch attachment {
        case .crossPlatform: true
        case .platform: false
        case nil: transports.contains { ["usb", "nfc", "ble", "smart-card"].contains($0) }
        }
    }

    package var assurance: Assurance {
        guard isDeviceBound, isRoaming else { return .passkey }
        return trust == .anchored ? .attestedSecurityKey : .securityKey
    }
}

extension VerifiedRegistration {
    package var facts: CredentialProperties {
        CredentialProperties(
            isBackupEligible: isBackupEligible, attachment: authenticatorAttachment,
            transports: transports, trust: trust)
    }

    package var assurance: Assurance { facts.assurance }
}
