// SPDX-License-Identifier: Apache-2.0

/// When a credential may be used (CTAP 2.1 section 12.1, credProtect).
package enum CredentialProtection: UInt8, Sendable, Comparable {
    case userVerificationOptional = 1
    case userVerificationOptionalWithCredentialIDList = 2
    case userVerificationRequired = 3

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
