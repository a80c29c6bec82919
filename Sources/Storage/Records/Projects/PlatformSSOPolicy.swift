// SPDX-License-Identifier: Apache-2.0

/// A project's policy for device sign-in (Apple Platform SSO, and the Linux agent).
package struct PlatformSSOPolicy: StoredSettings, Equatable {
    package var enabled = false
    /// `clientID` of the login configuration: an OAuth client of the project.
    package var clientID = "platform-sso"
    /// `audience` of the login configuration; the client's id when empty.
    package var audience = ""
    /// `password`, `user_key`, `smart_card`, `web_login`
    package var allowedMethods = ["password", "user_key"]
    /// Whether a password is accepted only when it is encrypted to the provider's key.
    package var encryptedPassword = false
    /// Seconds until a refresh needs a full login (`LoginFrequency` of the payload).
    package var loginFrequency: Int64 = 64_800
    /// Whether people may register machines by signing in, without a registration token.
    package var registrationByPeople = false
    /// The lifetime of the certificate of an unlock key, in seconds.
    package var unlockKeyLifetime: Int64 = 365 * 86_400
    /// Groups whose members may sign in on devices; all people if empty.
    package var signInGroups: [String] = []
    /// Whether the response to a login contains an access token.
    package var accessToken = false
    /// Whether ID tokens identify the device and its attributes.
    package var deviceClaim = false
    /// Whether people can sign in only on devices that device management reports as compliant.
    package var requiresCompliance = false
    /// Keys of the payload's `PlatformSSO`, each as `KEY=VALUE`: sent to devices, and written into
    /// the profile of Setup Assistant.
    package var profile: [String] = []
    package var setupAssistant = SetupAssistantPolicy()
    /// The certificates on cards that authenticate people.
    package var smartCards = SmartCardPolicy()
    /// The SAML assertions that authenticate people.
    package var federation = FederationPolicy()
    /// The required attestation of a device at registration.
    package var attestation = DeviceAttestationPolicy()

    package init() {}
}
