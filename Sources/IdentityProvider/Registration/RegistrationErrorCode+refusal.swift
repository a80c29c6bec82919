// SPDX-License-Identifier: Apache-2.0
package import AppRegistration

extension RegistrationErrorCode {
    /// The refusal with a private reason.
    package func refusal(_ message: String? = nil, because reason: String) -> Refusal {
        Refusal(rawValue, message ?? self.message, reason: reason)
    }

    var message: String {
        switch self {
        case .missingInput: "Something that the registration needs is missing."
        case .malformedInput: "Something in the request cannot be read."
        case .methodNotSupported: "This registration method is not offered here."
        case .outdatedApplication: "This version of the app is not let in. Install a newer one."
        case .outdatedSystem: "This version of the system is not let in. Update it."
        case .unknownApplication: "This app is not one that is known here."
        case .challengeRefused: "The nonce is expired, was used, or is not ours. Ask for another."
        case .keyProofRefused: "The key has not signed this registration."
        case .pinNotOffered: "Installations of this project have no PIN."
        case .pinRefused: "The pin_offer is not one that this key has signed for this nonce."
        case .wrongPIN: "The PIN is wrong."
        case .ended: "This profile is over; the statement says why. Register again with a new key."
        case .refused: "The request is not one that we answer. Ask for another nonce."
        case .registrationIDTaken:
            "This registration_id stands for another registration. Choose a new one."
        case .tokenRefused: "The token is not one that we believe."
        case .tokenExpired: "The token is expired. Ask its issuer for another."
        case .tokenUsed: "The token was used before. Ask its issuer for another."
        case .tokenTimeUnit: "The token's times are not in the unit that was agreed."
        case .testKeyRefused: "Test registration keys are not accepted in this project."
        case .evidenceRefused: "The evidence was refused; check says what is wrong with it."
        case .vendorUnavailable: "The maker of the device could not be asked. Try again later."
        case .deviceRegistered: "This device has registered before."
        case .unknownIdentityProvider: "There is no such identity provider."
        case .transactionRefused: "The transaction is not of this registration. Start again."
        case .transactionExpired: "The transaction is over. Start again."
        case .tryAgain:
            "The identity provider asks to try again; provider_status and data say more."
        case .identityProviderRefused:
            "The identity provider refuses; provider_status and data say more."
        case .identityProviderUnavailable:
            "The identity provider gave no answer. Try again later."
        case .personDisabled: "This account is disabled."
        case .alreadyRegistered: "This person is registered already. Sign in instead."
        case .keyTaken: "This key is registered already. Make a new one."
        case .notSignedIn: "Sign in first: send an access token that stands."
        case .scopeMissing: "The access token needs the scope registration."
        case .deregistrationRefused:
            "This account belongs to another identity provider. Close it there."
        case .unknownInstallation: "There is no such installation of yours."
        case .authenticatorNotOffered:
            "This project does not offer that authenticator, or not so many of them."
        case .unknownAuthenticator: "This installation has no such authenticator."
        case .freshSignInNeeded: "Sign in once more, with the PIN where there is one."
        case .webTargetRefused: "This app may send nobody to that address."
        case .approvalsNotOffered: "This project asks for no approvals in apps."
        case .notEnrolled: "This installation is not enrolled for approvals."
        case .unknownApproval: "There is no such approval that waits for you, or it is over."
        case .approvalHandled: "This was answered before, or is answered elsewhere."
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
