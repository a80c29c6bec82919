// SPDX-License-Identifier: Apache-2.0

/// The assurance that a relying party has of a credential, from least to most.
///
/// Every level resists phishing, because the origin is part of the signed data. The levels differ
/// in where the private key is stored and in who attests that.
package enum Assurance: String, Sendable, CaseIterable, Comparable {
    /// Any credential: synchronised between devices or stored in one.
    case passkey
    /// A roaming authenticator whose data state that the credential cannot leave it (BE clear).
    /// There is no attestation of that.
    case securityKey = "security_key"
    /// The same with an attestation of the model that leads to a trust anchor.
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

/// The properties of a registered credential that determine its ``Assurance``. Plain values, so
/// that a store can save them and each sign-in can evaluate them again.
package struct CredentialProperties: Sendable, Equatable {
    /// BE (section 6.1.3): immutable, so the value of the registration applies to every sign-in.
    package var isBackupEligible: Bool
    /// The client's unsigned statement.
    package var attachment: AuthenticatorAttachment?
    /// The client's unsigned statement.
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

    /// Whether the authenticator is a separate device. The attachment decides; if it is absent, a
    /// transport that only separate devices have does (section 5.8.4).
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
