// SPDX-License-Identifier: Apache-2.0

/// Why the agent does not do what it was asked for: a stable code, and a sentence for a person.
package struct AgentRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    package let code: String
    package let description: String

    package init(_ code: String, _ description: String) {
        self.code = code
        self.description = description
    }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    package static let notConfigured = Self(
        "not_configured",
        "no profile on this device configures Platform SSO; gatehouse-agent status displays the directory of "
            + "profiles and the errors of those in it")
    package static let notRegistered = Self(
        "not_registered", "you are not registered here; use gatehouse-agent register user")
    package static let deviceNotRegistered = Self(
        "device_not_registered", "this device is not registered")
    package static let cannotTell = Self(
        "cannot_tell",
        "the extension cannot notify the provider; an administrator must remove the registration "
            + "there; then use --local-only here")
    package static let notYours = Self(
        "not_yours", "only root may do that for others or for the device")
    package static let notAllowed = Self("not_allowed", "this program may not request tokens")
    package static let signedOut = Self(
        "signed_out", "you have to sign in again; use gatehouse-agent register user")
    package static let notRotated = Self(
        "not_rotated", "not every key could be replaced; see the log of the agent")
    package static let anotherPerson = Self(
        "another_person",
        "the response of the provider names another person than the one who is registered here, and was "
            + "not accepted; to change the person, remove the registration first: "
            + "gatehouse-agent unregister user")
    package static let noUnlockKey = Self(
        "no_unlock_key", "the provider issued no unlock key for you on this device")
    /// By the profile, whatever the provider would give.
    package static let noUnlockKeys = Self(
        "no_unlock_key",
        "the profile does not allow unlock keys: they require passwords or pages "
            + "(AuthenticationMethod Password or OpenID), UseSharedDeviceKeys, and an extension that supports "
            + "the key service")
    package static let unlockKeyOver = Self(
        "unlock_key_over", "your unlock key is expired, and the provider issues no other one now")
    package static let sealedElsewhere = Self(
        "sealed_elsewhere", "it was not sealed by this person on this device, or was changed")
    /// As ``sealedElsewhere``, as the provider reports it.
    package static let sealedWithAnother = Self(
        "sealed_elsewhere",
        "the provider does not know the key of the seal: it was sealed by another person, on another "
            + "device, or before this one was revoked or registered again, or it was changed")
    package static let noCardReader = Self(
        "no_card_reader",
        "smart cards are not configured on this device (gatehouse-agent run --card-module)")
    package static let noPicture = Self(
        "no_picture", "this device has no picture of you")
    package static let noSecurityKeys = Self(
        "no_security_keys", "security keys are not available on this device")
    package static let noPage = Self(
        "no_page",
        "the profile requires a sign-in on a page, and the provider has none for this device; "
            + "use gatehouse-agent register device --repair")
    package static let malformed = Self("malformed", "the request cannot be understood")
    package static let gone = Self(
        "gone", "the agent has stopped; start it and repeat the command, which then resumes"
    )
    package static let cancelled = Self("cancelled", "cancelled")
}
