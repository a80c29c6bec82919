// SPDX-License-Identifier: Apache-2.0

/// `UserVerificationRequirement`, section 5.8.6.
package enum UserVerificationRequirement: String, Sendable, CaseIterable {
    case required, preferred, discouraged
}

/// `ResidentKeyRequirement`, section 5.4.6: whether the credential must be discoverable.
package enum ResidentKeyRequirement: String, Sendable, CaseIterable {
    case discouraged, preferred, required
}

/// `AuthenticatorAttachment`, section 5.4.5.
package enum AuthenticatorAttachment: String, Sendable, CaseIterable {
    case platform
    case crossPlatform = "cross-platform"
}

/// `PublicKeyCredentialHint`, section 5.8.7.
package enum CredentialHint: String, Sendable, CaseIterable {
    case securityKey = "security-key"
    case clientDevice = "client-device"
    case hybrid
}

/// `AttestationConveyancePreference`, section 5.4.7.
package enum AttestationConveyance: String, Sendable, CaseIterable {
    case none, indirect, direct, enterprise
}
