// SPDX-License-Identifier: Apache-2.0
import AppRegistration

/// A method with which an installation proves that it may register.
///
/// The names of the Sudo User SDK (`DEVICE_CHECK`, `PLAY_INTEGRITY`, `TEST`, `FSSO`) are read as
/// well, and mean the same.
public struct RegistrationMethod: RawRepresentable, Sendable, Hashable {
    /// The value in messages.
    public let rawValue: String

    /// A method by its name, or by its older name.
    public init(rawValue: String) {
        self.rawValue = AppRegistrationMethod(rawValue: rawValue).rawValue
    }

    /// A page of the provider in a browser.
    public static let oidc = RegistrationMethod(rawValue: "oidc")
    /// The operator's own service, asked once.
    public static let customOneStep = RegistrationMethod(rawValue: "customOneStep")
    /// The operator's own service, asked to start and to complete.
    public static let customTwoStep = RegistrationMethod(rawValue: "customTwoStep")
    /// A token that a registered issuer has signed.
    public static let signedJWT = RegistrationMethod(rawValue: "signedJWT")
    /// Apple's DeviceCheck.
    public static let deviceCheck = RegistrationMethod(rawValue: "deviceCheck")
    /// Apple's App Attest.
    public static let appAttest = RegistrationMethod(rawValue: "appAttest")
    /// Google's Play Integrity.
    public static let playIntegrity = RegistrationMethod(rawValue: "playIntegrity")
    /// Android's key attestation.
    public static let keyAttestation = RegistrationMethod(rawValue: "keyAttestation")
    /// A token signed by a test registration key: for tests, refused in production.
    public static let testKey = RegistrationMethod(rawValue: "testKey")

    /// The `challengeType` of the Sudo User SDK; `nil` for what it does not have.
    public var legacyName: String? {
        AppRegistrationMethod(rawValue: rawValue).legacyName
    }
}
