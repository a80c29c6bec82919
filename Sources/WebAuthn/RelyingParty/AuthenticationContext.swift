// SPDX-License-Identifier: Apache-2.0

/// Authentication context class references (`acr`) of OpenID Connect Extended Authentication
/// Profile ACR Values 1.0, section 2.
package enum AuthenticationContext: String, Sendable {
    /// Phishing-resistant: every sign-in with a public-key credential.
    case phishingResistant = "phr"
    /// Phishing-resistant, and the key is protected by hardware. A sign-in of this class meets
    /// `phr` as well.
    case phishingResistantHardware = "phrh"
}

/// The evidence that a deployment accepts for hardware protection.
package enum HardwareEvidence: String, Sendable, CaseIterable {
    /// A maker's attestation that leads to a trusted anchor.
    case attested
    /// The authenticator's unattested statement: BE is clear. For deployments that hand out the
    /// keys.
    case claimed
}

extension CredentialProperties {
    /// Returns the `acr` of a sign-in with this credential.
    ///
    /// Pure: the same properties, evidence and verification always give the same class. An attested
    /// device-bound key of the platform (a TPM) is hardware-protected too, though it is not a
    /// security key. Without user verification a finder of the key can use it, so possession alone
    /// does not give the stronger class.
    package func context(
        isUserVerified: Bool, trusting evidence: HardwareEvidence = .attested
    ) -> AuthenticationContext {
        guard isUserVerified, isDeviceBound else { return .phishingResistant }
        switch evidence {
        case .attested: return trust == .anchored ? .phishingResistantHardware : .phishingResistant
        case .claimed: return .phishingResistantHardware
        }
    }

    /// Returns the `amr` values of a sign-in with this credential (RFC 8176 section 2), in this
    /// order:
    ///
    /// - `hwk` or `swk` for the key; one that may leave its device is software-secured
    /// - `user` for presence
    /// - the verification methods of the `uvm` extension
    /// - `mfa` if the person was verified, because possession is the other factor
    package func methods(
        isUserPresent: Bool = true, isUserVerified: Bool,
        verification: [UserVerificationMethod] = []
    ) -> [String] {
        var methods = [isDeviceBound ? "hwk" : "swk"]
        if isUserPresent { methods.append("user") }
        guard isUserVerified else { return methods }
        for method in verification {
            guard let value = method.referenceValue, !methods.contains(value) else { continue }
            methods.append(value)
        }
        return methods + ["mfa"]
    }
}
