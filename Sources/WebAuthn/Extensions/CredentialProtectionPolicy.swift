// SPDX-License-Identifier: Apache-2.0

/// `credProtect` (CTAP 2.1 section 12.1): the authenticator's requirements for the use or discovery
/// of a credential. The raw value is CTAP's.
package enum CredentialProtectionPolicy: Int64, Sendable, CaseIterable, Comparable {
    case userVerificationOptional = 1
    case userVerificationOptionalWithCredentialIDList = 2
    case userVerificationRequired = 3

    /// As WebAuthn clients take it (`credentialProtectionPolicy`).
    package var name: String {
        switch self {
        case .userVerificationOptional: "userVerificationOptional"
        case .userVerificationOptionalWithCredentialIDList:
            "userVerificationOptionalWithCredentialIDList"
        case .userVerificationRequired: "userVerificationRequired"
        }
    }

    package static func < (
        left: CredentialProtectionPolicy, right: CredentialProtectionPolicy
    ) -> Bool { left.rawValue < right.rawValue }
}
