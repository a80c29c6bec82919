// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The asynchronous form: performs requests and returns their results. On Apple's systems SwiftUI
/// has it in its environment; here an app creates it.
@MainActor public struct AuthorizationController {
    private let anchor: ASPresentationAnchor
    private let system: AuthorizationSystem

    /// - Parameter presentationAnchor: The location of the user interface; the terminal by default.
    public init(presentationAnchor: ASPresentationAnchor = ASPresentationAnchor()) {
        self.init(presentationAnchor: presentationAnchor, system: .current)
    }

    package init(presentationAnchor: ASPresentationAnchor, system: AuthorizationSystem) {
        anchor = presentationAnchor
        self.system = system
    }

    /// Performs a request.
    ///
    /// - Throws: ``ASAuthorizationError``. Cancelling the task cancels the request.
    public func performRequest(
        _ request: ASAuthorizationRequest,
        options: ASAuthorizationController.RequestOptions = []
    ) async throws -> ASAuthorizationResult {
        try await performRequests([request], options: options)
    }

    /// Performs one of several requests.
    ///
    /// - Throws: ``ASAuthorizationError``. Cancelling the task cancels the request.
    public func performRequests(
        _ requests: [ASAuthorizationRequest],
        options: ASAuthorizationController.RequestOptions = []
    ) async throws -> ASAuthorizationResult {
        let controller = ASAuthorizationController(
            authorizationRequests: requests, system: system)
        let delegate = AwaitedAuthorization(anchor: anchor)
        controller.delegate = delegate
        controller.presentationContextProvider = delegate
        let authorization = try await withTaskCancellationHandler {
            try await delegate.outcome { controller.performRequests(options: options) }
        } onCancel: {
            controller.cancel()
        }
        return try ASAuthorizationResult(authorization)
    }
}

/// The result of a request.
public enum ASAuthorizationResult: Sendable {
    /// A sign-in with a passkey.
    case passkeyAssertion(ASAuthorizationPlatformPublicKeyCredentialAssertion)
    /// A new passkey.
    case passkeyRegistration(ASAuthorizationPlatformPublicKeyCredentialRegistration)
    /// A sign-in with a security key.
    case securityKeyAssertion(ASAuthorizationSecurityKeyPublicKeyCredentialAssertion)
    /// A new credential on a security key.
    case securityKeyRegistration(ASAuthorizationSecurityKeyPublicKeyCredentialRegistration)
    /// A way of the app's own.
    case customMethod(ASAuthorizationCustomMethod)

    init(_ authorization: ASAuthorization) throws(ASAuthorizationError) {
        switch authorization.credential {
        case let credential as ASAuthorizationPlatformPublicKeyCredentialAssertion:
            self = .passkeyAssertion(credential)
        case let credential as ASAuthorizationPlatformPublicKeyCredentialRegistration:
            self = .passkeyRegistration(credential)
        case let credential as ASAuthorizationSecurityKeyPublicKeyCredentialAssertion:
            self = .securityKeyAssertion(credential)
        case let credential as ASAuthorizationSecurityKeyPublicKeyCredentialRegistration:
            self = .securityKeyRegistration(credential)
        default:
            throw ASAuthorizationError(.unknown, "The credential is of a kind that is not known.")
        }
    }
}

/// Waits for the one call that a delegate gets.
@MainActor
private final class AwaitedAuthorization: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    private let anchor: ASPresentationAnchor
    private var waiter: CheckedContinuation<ASAuthorization, any Error>?

    init(anchor: ASPresentationAnchor) { self.anchor = anchor }

    func outcome(_ perform: () -> Void) async throws -> ASAuthorization {
        try await withCheckedThrowingContinuation { waiter in
            self.waiter = waiter
            perform()
        }
    }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        anchor
    }

    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        waiter?.resume(returning: authorization)
        waiter = nil
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithError error: any Error
    ) {
        waiter?.resume(throwing: error)
        waiter = nil
    }
}
