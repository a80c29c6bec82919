// SPDX-License-Identifier: Apache-2.0

/// `userSecureEnclaveKeyBiometricPolicy` of macOS 14.4, with Apple's bits.
package struct BiometricPolicy: OptionSet, Sendable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let touchIDOrWatchCurrentSet = BiometricPolicy(rawValue: 1)
    package static let touchIDOrWatchAny = BiometricPolicy(rawValue: 2)
    package static let reuseDuringUnlock = BiometricPolicy(rawValue: 4)
    package static let passwordFallback = BiometricPolicy(rawValue: 8)
}
