// SPDX-License-Identifier: Apache-2.0

/// `FederationType` of a login configuration, with Apple's raw values as far as they are published.
package enum FederationType: String, Sendable, CaseIterable {
    case none
    case wsTrust
    case dynamicWSTrust
    /// macOS 27
    case openID
    /// macOS 27
    case dynamicOpenID

    /// Whether people sign in on a page.
    package var isWebLogin: Bool { self == .openID || self == .dynamicOpenID }

    /// `nil` for the cases of macOS 27, whose values Apple has not published.
    package var appleRawValue: Int? {
        switch self {
        case .none: 0
        case .wsTrust: 1
        case .dynamicWSTrust: 2
        case .openID, .dynamicOpenID: nil
        }
    }
}

/// `loginRequestEncryptionAlgorithm` of macOS 15. Only the first is supported here.
package enum EncryptionAlgorithm: String, Sendable, CaseIterable {
    case ecdheA256GCM = "ecdhe_A256GCM"
    case hpkeP256SHA256AESGCM256 = "hpke_P256_SHA256_AES_GCM_256"
    case hpkeP384SHA384AESGCM256 = "hpke_P384_SHA384_AES_GCM_256"
    case hpkeCurve25519SHA256ChaChaPoly = "hpke_Curve25519_SHA256_ChachaPoly"
}

/// `userSecureEnclaveKeyBiometricPolicy` of macOS 14.4, with Apple's bits.
package struct BiometricPolicy: OptionSet, Sendable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let touchIDOrWatchCurrentSet = BiometricPolicy(rawValue: 1)
    package static let touchIDOrWatchAny = BiometricPolicy(rawValue: 2)
    package static let reuseDuringUnlock = BiometricPolicy(rawValue: 4)
    package static let passwordFallback = BiometricPolicy(rawValue: 8)
}
