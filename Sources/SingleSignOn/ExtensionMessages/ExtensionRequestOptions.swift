// SPDX-License-Identifier: Apache-2.0

/// The options of a registration, with Apple's bits.
package struct ExtensionRequestOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let userInteractionEnabled = Self(rawValue: 1)
    package static let registrationRepair = Self(rawValue: 2)
    package static let registrationSharedDeviceKeys = Self(rawValue: 4)
    package static let registrationDeviceKeyMigration = Self(rawValue: 8)
    package static let strongerKeyAvailable = Self(rawValue: 16)
    package static let userKeyInvalid = Self(rawValue: 32)
    package static let setupAssistant = Self(rawValue: 64)
    /// macOS 27; Apple has not published its bit, this one is specific to this package.
    package static let openIDFallback = Self(rawValue: 128)

    /// All defined bits.
    package static let known = Self(rawValue: 255)
}
