// SPDX-License-Identifier: Apache-2.0
import AgentClient

/// The refusals that follow from errors and decisions of the agent.
extension AgentRefusal {
    static let cannotSeal = Self(
        "cannot_seal", "a secret has 1 to \(SealedSecret.greatestSecret) bytes")

    static func declined(_ reason: RegistrationEffect.Decline) -> Self {
        switch reason {
        case .notConfigured: .notConfigured
        case .exempt: Self(reason.rawValue, "the profile exempts this account")
        case .underWay: Self(reason.rawValue, "a registration is already in progress")
        case .alreadyRegistered:
            Self(
                reason.rawValue,
                "already registered: gatehouse-agent status; --repair registers again")
        case .notBeforeChange:
            Self(
                reason.rawValue,
                "the provider refused permanently; the agent tries again when the profile changes")
        }
    }

    static func unsettled(_ phase: String, _ reason: String?) -> Self {
        let next =
            switch phase {
            case "retrying": "; gatehouse-agent status displays the time of the next attempt"
            case "refused": "; the agent tries again when the profile changes"
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
