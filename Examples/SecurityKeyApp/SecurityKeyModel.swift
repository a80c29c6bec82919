// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

/// The code of Apple's article "Supporting Security Key Authentication Using Physical Keys", whole
/// and with its labels: it registers a security key and signs in with it. Nothing in this file is
/// for Linux; the same file compiles with the system's framework.
@MainActor
final class SecurityKeyModel: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    private let relyingParty: String
    private var done: ((Result<ASAuthorization, any Error>) -> Void)?

    init(relyingParty: String) { self.relyingParty = relyingParty }

    /// Registers a new account on the service.
    func register(
        challenge: Data, displayName: String, name: String, userID: Data,
        done: @escaping (Result<ASAuthorization, any Error>) -> Void
    ) {
        self.done = done
        let securityKeyProvider = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(
            relyingPartyIdentifier: relyingParty)
        let securityKeyRequest = securityKeyProvider.createCredentialRegistrationRequest(
            challenge: challenge, displayName: displayName, name: name, userID: userID)
        securityKeyRequest.credentialParameters = [
            ASAuthorizationPublicKeyCredentialParameters(
                algorithm: ASCOSEAlgorithmIdentifier.ES256)
        ]
        // What this server demands besides: a passkey, and a person who is verified.
        securityKeyRequest.residentKeyPreference = .required
        securityKeyRequest.userVerificationPreference = .required
        let authController = ASAuthorizationController(
            authorizationRequests: [securityKeyRequest])
        authController.delegate = self
        authController.presentationContextProvider = self
        authController.performRequests()
    }

    /// Connects to the service with an existing account.
    func signIn(
        challenge: Data, done: @escaping (Result<ASAuthorization, any Error>) -> Void
    ) {
        self.done = done
        let securityKeyProvider = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(
            relyingPartyIdentifier: relyingParty)
        let securityKeyRequest = securityKeyProvider.createCredentialAssertionRequest(
            challenge: challenge)
        securityKeyRequest.userVerificationPreference = .required
        let authController = ASAuthorizationController(
            authorizationRequests: [securityKeyRequest])
        authController.delegate = self
        authController.presentationContextProvider = self
        authController.performRequests()
    }

    // MARK: ASAuthorizationControllerDelegate

    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        if let credential = authorization.credential
            as? ASAuthorizationSecurityKeyPublicKeyCredentialRegistration
        {
            // Take steps to handle the registration.
            print("A new credential of \(credential.credentialID.count) bytes.")
        } else if let credential = authorization.credential
            as? ASAuthorizationSecurityKeyPublicKeyCredentialAssertion
        {
            // Take steps to verify the challenge.
            print("A signature of \(credential.signature.count) bytes.")
        } else {
            // Handle other authentication cases, such as Sign in with Apple.
        }
        done?(.success(authorization))
        done = nil
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithError error: any Error
    ) {
        // Handle the error.
        done?(.failure(error))
        done = nil
    }

    // MARK: ASAuthorizationControllerPresentationContextProviding

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        ASPresentationAnchor()
    }
}
