// SPDX-License-Identifier: Apache-2.0

/// A way in which an app installation shows that it may register.
///
/// The names of the Sudo User SDK (`FSSO`, `TEST`, …) are read as well, and mean the same.
package struct RegistrationMethod: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = Self.legacyNames[rawValue] ?? rawValue }

    /// A browser and an OpenID provider.
    package static let oidc = RegistrationMethod(rawValue: "oidc")
    /// The operator's own service, asked once.
    package static let customOneStep = RegistrationMethod(rawValue: "customOneStep")
    /// The operator's own service, asked to start and to complete.
    package static let customTwoStep = RegistrationMethod(rawValue: "customTwoStep")
    /// A token that a registered issuer signed (custom federated sign-in, "FSSO").
    package static let signedJWT = RegistrationMethod(rawValue: "signedJWT")
    package static let deviceCheck = RegistrationMethod(rawValue: "deviceCheck")
    package static let appAttest = RegistrationMethod(rawValue: "appAttest")
    package static let playIntegrity = RegistrationMethod(rawValue: "playIntegrity")
    package static let keyAttestation = RegistrationMethod(rawValue: "keyAttestation")
    /// A token signed by a test registration key.
    package static let testKey = RegistrationMethod(rawValue: "testKey")

    /// The `challengeType` of the Sudo User SDK; `nil` for what it does not have.
    package var legacyName: String? { Self.legacyNames.first { $0.value == rawValue }?.key }

    private static let legacyNames = [
        "DEVICE_CHECK": "deviceCheck", "PLAY_INTEGRITY": "playIntegrity", "TEST": "testKey",
        "FSSO": "signedJWT",
    ]
}
