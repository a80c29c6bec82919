// SPDX-License-Identifier: Apache-2.0

/// What an extension is told about the registration that it is asked for: Apple's
/// `ASAuthorizationProviderExtensionRequestOptions`, with its bits.
package struct RegistrationRequestOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let userInteractionEnabled = Self(rawValue: 1)
    package static let registrationRepair = Self(rawValue: 2)
    package static let registrationSharedDeviceKeys = Self(rawValue: 4)
    package static let registrationDeviceKeyMigration = Self(rawValue: 8)
    package static let strongerKeyAvailable = Self(rawValue: 16)
    package static let userKeyInvalid = Self(rawValue: 32)
    package static let setupAssistant = Self(rawValue: 64)

    /// What stays true of a registration until it succeeds.
    static let lasting: Self = [.registrationRepair, .registrationDeviceKeyMigration]
}

/// What an extension answers: Apple's `ASAuthorizationProviderExtensionRegistrationResult`, with
/// its raw values.
package enum RegistrationResult: Int, Sendable, Hashable, CaseIterable {
    case success = 0
    case failed = 1
    case userInterfaceRequired = 2
    case failedNoRetry = 3
}
