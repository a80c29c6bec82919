// SPDX-License-Identifier: Apache-2.0
/// The circumstances of a registration.
public struct ASAuthorizationProviderExtensionRequestOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// - Parameter rawValue: the bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A person is present and may be prompted.
    public static let userInteractionEnabled = Self(rawValue: 1)
    /// It was registered before, and something broke.
    public static let registrationRepair = Self(rawValue: 2)
    /// All people share the device's keys.
    public static let registrationSharedDeviceKeys = Self(rawValue: 4)
    /// From keys for each person to shared ones: both are at hand.
    public static let registrationDeviceKeyMigration = Self(rawValue: 8)
    /// There is a stronger kind of key than the one in use.
    public static let strongerKeyAvailable = Self(rawValue: 16)
    /// The person's key is invalid.
    public static let userKeyInvalid = Self(rawValue: 32)
    /// During the first setup of the device.
    public static let setupAssistant = Self(rawValue: 64)
    /// A page replaces a failed biometric check, so the configuration requires a web login (macOS
    /// 27). Apple has not published its bit; this one is specific to this package.
    public static let openIDFallback = Self(rawValue: 128)
}
