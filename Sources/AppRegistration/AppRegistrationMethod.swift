// SPDX-License-Identifier: Apache-2.0

/// A registration method of an app installation.
///
/// The names of the Sudo User SDK (`FSSO`, `TEST`, …) are accepted as synonyms.
package struct AppRegistrationMethod: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = Self.legacyNames[rawValue] ?? rawValue }

    /// A browser and an OpenID provider.
    package static let oidc = AppRegistrationMethod(rawValue: "oidc")
    /// A custom identity provider with one request.
    package static let customOneStep = AppRegistrationMethod(rawValue: "customOneStep")
    /// A custom identity provider with a start and a completion request.
    package static let customTwoStep = AppRegistrationMethod(rawValue: "customTwoStep")
    /// A token that a registered issuer signed (custom federated sign-in, "FSSO").
    package static let signedJWT = AppRegistrationMethod(rawValue: "signedJWT")
    package static let deviceCheck = AppRegistrationMethod(rawValue: "deviceCheck")
    package static let appAttest = AppRegistrationMethod(rawValue: "appAttest")
    package static let playIntegrity = AppRegistrationMethod(rawValue: "playIntegrity")
    package static let keyAttestation = AppRegistrationMethod(rawValue: "keyAttestation")
    /// A token signed by a test registration key.
    package static let testKey = AppRegistrationMethod(rawValue: "testKey")

    /// The `challengeType` of the Sudo User SDK; `nil` if it has none.
    package var legacyName: String? { Self.legacyNames.first { $0.value == rawValue }?.key }

    private static let legacyNames = [
        "DEVICE_CHECK": "deviceCheck", "PLAY_INTEGRITY": "playIntegrity", "TEST": "testKey",
        "FSSO": "signedJWT",
    ]
}
