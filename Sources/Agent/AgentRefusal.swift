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
        "no profile on this machine configures Platform SSO; gatehouse-agent status says where one belongs, and "
            + "what is wrong with those that are there")
    package static let notRegistered = Self(
        "not_registered", "you are not registered here; use gatehouse-agent register user")
    package static let deviceNotRegistered = Self(
        "device_not_registered", "this machine is not registered")
    package static let cannotTell = Self(
        "cannot_tell",
        "the extension cannot tell the provider; have an administrator remove it there, and use "
            + "--local-only here")
    package static let notYours = Self(
        "not_yours", "only root may do that for others or for the machine")
    package static let notAllowed = Self("not_allowed", "this program may not ask for tokens")
    package static let signedOut = Self(
        "signed_out", "you have to sign in again; use gatehouse-agent register user")
    package static let notRotated = Self(
        "not_rotated", "not every key could be replaced; the log of the agent says why")
    package static let anotherPerson = Self(
        "another_person",
        "the provider answered for somebody else than the person who is registered here, and was not "
            + "believed; if it is to be them from now on, take the registration back first: "
            + "gatehouse-agent unregister user")
    package static let noUnlockKey = Self(
        "no_unlock_key", "the provider has given you no unlock key on this machine")
    /// By the profile, whatever the provider would give.
    package static let noUnlockKeys = Self(
        "no_unlock_key",
        "the profile gives people no unlock keys: those come with passwords or pages "
            + "(AuthenticationMethod Password or OpenID), UseSharedDeviceKeys, and an extension that knows "
            + "the key service")
    package static let unlockKeyOver = Self(
        "unlock_key_over", "your unlock key is over, and the provider gives no other now")
    package static let sealedElsewhere = Self(
        "sealed_elsewhere", "it was not sealed by this person on this machine, or was changed")
    /// As ``sealedElsewhere``, as the provider reports it.
    package static let sealedWithAnother = Self(
        "sealed_elsewhere",
        "the provider does not know what it was sealed with: that was done by another person or on another "
            + "machine, before this one was revoked or registered anew, or it was changed")
    package static let noCardReader = Self(
        "no_card_reader",
        "this machine is not told how to read smart cards (gatehouse-agent run --card-module)")
    package static let noPicture = Self(
        "no_picture", "nobody has given this machine a picture of you")
    package static let noSecurityKeys = Self(
        "no_security_keys", "this machine cannot ask security keys")
    package static let noPage = Self(
        "no_page",
        "the profile wants you to sign in on a page, and the provider has none for this machine; "
            + "use gatehouse-agent register device --repair")
    package static let malformed = Self("malformed", "the request cannot be understood")
    package static let gone = Self(
        "gone", "the agent has ended; once it runs again, the same command goes on where it stopped"
    )
    package static let cannotSeal = Self(
        "cannot_seal", "a secret has 1 to \(SealedSecret.greatestSecret) bytes")
    package static let cancelled = Self("cancelled", "given up")

    static func declined(_ reason: RegistrationEffect.Decline) -> Self {
        switch reason {
        case .notConfigured: .notConfigured
        case .exempt: Self(reason.rawValue, "the profile exempts this account")
        case .underWay: Self(reason.rawValue, "a registration is under way already")
        case .alreadyRegistered:
            Self(
                reason.rawValue,
                "that is done already: gatehouse-agent status; --repair registers anew")
        case .notBeforeChange:
            Self(
                reason.rawValue,
                "the provider refused for good; it is tried again when the profile changes")
        }
    }

    static func unsettled(_ phase: String, _ reason: String?) -> Self {
        let next =
            switch phase {
            case "retrying": "; gatehouse-agent status says when it is tried again by itself"
            case "refused": "; it is tried again when the profile changes"
            default: ""
            }
        // Providers end their sentences.
        let why = reason.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        return Self(
            "registration_failed", "it did not succeed" + (why.map { ": \($0)" } ?? "") + next)
    }

    /// The provider has refused the refresh token or the key of a signed-in person.
    static func signedOut(because failure: ProviderError) -> Self {
        Self("signed_out", "\(failure); sign in again: gatehouse-agent sign-in")
    }

    static func pin(_ error: KeyPINError) -> Self {
        switch error {
        case .needed: Self("pin_needed", error.description)
        case .incorrect: Self("pin_incorrect", error.description)
        case .locked, .tpmLocked: Self("pin_locked", error.description)
        }
    }

    static func provider(_ failure: ProviderError) -> Self {
        switch failure {
        case .wrongCredential: Self("wrong_credential", failure.description)
        case .deviceUnknown: Self("device_unknown", failure.description)
        case .unreachable: Self("unreachable", failure.description)
        case .contextRefused: sealedWithAnother
        case .later, .notTrusted, .keys: Self("provider_failed", failure.description)
        case .anotherPerson: anotherPerson
        case .card: Self("card_failed", failure.description)
        case .pin(let error): pin(error)
        }
    }
}
