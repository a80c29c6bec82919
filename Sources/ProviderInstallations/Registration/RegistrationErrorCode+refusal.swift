// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
package import ProviderCore

extension RegistrationErrorCode {
    /// The refusal with a private reason.
    package func refusal(_ message: String? = nil, because reason: String) -> Refusal {
        Refusal(rawValue, message ?? self.message, reason: reason)
    }

    var message: String {
        switch self {
        case .missingInput: "A required member of the registration is missing."
        case .malformedInput: "A member of the request is invalid."
        case .methodNotSupported: "This registration method is not offered here."
        case .outdatedApplication: "This version of the app is not accepted. Install a newer one."
        case .outdatedSystem: "This version of the system is not accepted. Update it."
        case .unknownApplication: "This app is not registered in this project."
        case .challengeRefused: "The nonce is expired, consumed or unknown. Request another."
        case .keyProofRefused: "The registration is not signed with the key."
        case .pinNotOffered: "Installations of this project have no PIN."
        case .pinRefused: "The pin_offer is not signed with this key for this nonce."
        case .wrongPIN: "The PIN is wrong."
        case .ended:
            "This installation is revoked; statement has the reason. Register again with a new key."
        case .refused: "The request is not accepted. Request another nonce."
        case .registrationIDTaken:
            "This registration_id is of another registration. Choose a new one."
        case .tokenRefused: "The token is not accepted."
        case .tokenExpired: "The token is expired. Request another from its issuer."
        case .tokenUsed: "The token is consumed. Request another from its issuer."
        case .tokenTimeUnit: "The times of the token are not in the configured unit."
        case .testKeyRefused: "Test registration keys are not accepted in this project."
        case .evidenceRefused: "The evidence was refused; check has the reason."
        case .vendorUnavailable:
            "The service of the device manufacturer is not available. Try again later."
        case .deviceRegistered: "This device has registered before."
        case .unknownIdentityProvider: "The identity provider is unknown."
        case .transactionRefused: "The transaction is not of this registration. Start again."
        case .transactionExpired: "The transaction is expired. Start again."
        case .tryAgain:
            "The identity provider requests another attempt; see provider_status and data."
        case .identityProviderRefused:
            "The identity provider refused; see provider_status and data."
        case .identityProviderUnavailable:
            "The identity provider did not respond. Try again later."
        case .personDisabled: "This account is disabled."
        case .alreadyRegistered: "This person is already registered. Sign in instead."
        case .keyTaken: "This key is already registered. Create a new one."
        case .notSignedIn: "Sign in first: send an active access token."
        case .scopeMissing: "The access token needs the scope registration."
        case .deregistrationRefused:
            "This account belongs to another identity provider. Close it there."
        case .unknownInstallation: "This person has no such installation."
        case .authenticatorNotOffered:
            "This project does not offer that authenticator, or the maximum number is reached."
        case .unknownAuthenticator: "This installation has no such authenticator."
        case .freshSignInNeeded: "Sign in again, with the PIN if there is one."
        case .webTargetRefused: "This app may not open that URL."
        case .approvalsNotOffered: "This project does not offer approvals in apps."
        case .notEnrolled: "This installation is not enrolled for approvals."
        case .unknownApproval: "The approval request is unknown, expired or finished."
        case .approvalHandled:
            "The approval request was answered before, or is being answered by another app."
        case .approvalRefused: "The answer is not signed by this installation for this approval."
        }
    }
}

extension Result where Failure == CeremonyRefusal {
    /// The last argument sets ``CeremonyRefusal/isStranger``.
    static func declined(
        _ code: RegistrationErrorCode, _ message: String? = nil, because reason: String,
        stranger: Bool = false
    ) -> Self {
        .failure(CeremonyRefusal(code, message, because: reason, stranger: stranger))
    }
}

extension CeremonyRefusal {
    init(
        _ code: RegistrationErrorCode, _ message: String? = nil, because reason: String,
        stranger: Bool = false
    ) {
        self.init(code.refusal(message, because: reason))
        isStranger = stranger
    }
}

extension CeremonyContext {
    /// Records the refusal of a change whose success has the event `draft`.
    func refuse<Value>(
        _ draft: AuditEventDraft, _ code: RegistrationErrorCode, because reason: String
    ) async throws -> Result<Value, Refusal> {
        try await provider.audit.refuse(draft, with: code.refusal(because: reason))
    }
}
