// SPDX-License-Identifier: Apache-2.0
public import AuthenticationServices
import Foundation
public import GatehouseClient

/// The passkeys of the system: of Apple's systems where the app runs on one, and on Linux those
/// that `AuthenticationServices` of this package keeps. The same source for both.
///
/// ```swift
/// let client = try IdentityClient.onThisMachine(
///     configuration, passkeys: SystemPasskeys { ASPresentationAnchor() })
/// ```
///
/// The app must belong to the provider's domain: it names `webcredentials:DOMAIN` among its
/// associated domains, and the provider names the app (`associated_apps`).
public struct SystemPasskeys: PasskeyAuthenticator {
    typealias MakeController =
        @MainActor @Sendable ([ASAuthorizationRequest]) -> ASAuthorizationController

    private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
    private let makeController: MakeController

    /// - Parameter anchor: The window in which the person is asked; on Linux the terminal, unless a
    ///   presenter is given to it.
    public init(anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) {
        self.anchor = anchor
        makeController = { ASAuthorizationController(authorizationRequests: $0) }
    }

    #if os(Linux)
        /// On another machine than this: for tests.
        package init(
            system: AuthorizationSystem,
            anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
        ) {
            self.anchor = anchor
            makeController = {
                ASAuthorizationController(authorizationRequests: $0, system: system)
            }
        }
    #endif

    /// The system says so itself when it is asked.
    public var isAvailable: Bool { true }

    /// See `PasskeyAuthenticator`.
    @MainActor public func makePasskey(_ request: PasskeyCreationOptions) async throws -> NewPasskey
    {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(
            relyingPartyIdentifier: request.relyingParty)
        let asked = provider.createCredentialRegistrationRequest(
            challenge: Data(request.challenge), name: request.username,
            userID: Data(request.userID))
        asked.displayName = request.displayName
        asked.userVerificationPreference = .required
        asked.excludedCredentials = request.excluded.map {
            ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: Data($0))
        }
        guard case .made(let passkey) = try await perform(asked) else {
            throw UserVerificationError.failed("the system has made no passkey")
        }
        return passkey
    }

    /// See `PasskeyAuthenticator`.
    @MainActor public func signature(
        for request: PasskeyAssertionOptions
    ) async throws -> PasskeySignature {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(
            relyingPartyIdentifier: request.relyingParty)
        let asked = provider.createCredentialAssertionRequest(challenge: Data(request.challenge))
        asked.userVerificationPreference = .required
        asked.allowedCredentials = request.allowed.map {
            ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: Data($0))
        }
        guard case .signed(let signature) = try await perform(asked) else {
            throw UserVerificationError.failed("the system has signed nothing")
        }
        return signature
    }

    @MainActor private func perform(
        _ request: ASAuthorizationRequest
    ) async throws -> PasskeyOutcome {
        let waiting = WaitingDelegate(makeController([request]), anchor: anchor())
        do {
            return try await withTaskCancellationHandler {
                try await waiting.outcome()
            } onCancel: {
                Task { @MainActor in waiting.cancel() }
            }
        } catch let error as ASAuthorizationError {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: ASAuthorizationError) -> UserVerificationError {
        switch error.code {
        case .canceled: .cancelled
        case .matchedExcludedCredential, .notHandled: .invalidated
        default: .failed(error.localizedDescription)
        }
    }
}

/// What came of a request.
private enum PasskeyOutcome: Sendable {
    case made(NewPasskey)
    case signed(PasskeySignature)
    case nothing

    init(_ credential: any ASAuthorizationCredential) {
        switch credential {
        case let made as ASAuthorizationPlatformPublicKeyCredentialRegistration:
            self = .made(
                NewPasskey(
                    credentialID: Array(made.credentialID),
                    clientDataJSON: Array(made.rawClientDataJSON),
                    attestationObject: Array(made.rawAttestationObject ?? Data())))
        case let signed as ASAuthorizationPlatformPublicKeyCredentialAssertion:
            self = .signed(
                PasskeySignature(
                    credentialID: Array(signed.credentialID),
                    clientDataJSON: Array(signed.rawClientDataJSON),
                    authenticatorData: Array(signed.rawAuthenticatorData),
                    signature: Array(signed.signature), userID: Array(signed.userID)))
        default: self = .nothing
        }
    }
}

/// Waits for the one call that a delegate gets.
@MainActor
private final class WaitingDelegate: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    /// Of Apple's systems: it may not leave the main actor.
    private let controller: ASAuthorizationController
    private let anchor: ASPresentationAnchor
    private var waiter: CheckedContinuation<PasskeyOutcome, any Error>?

    init(_ controller: ASAuthorizationController, anchor: ASPresentationAnchor) {
        self.controller = controller
        self.anchor = anchor
        super.init()
        controller.delegate = self
        controller.presentationContextProvider = self
    }

    func outcome() async throws -> PasskeyOutcome {
        try await withCheckedThrowingContinuation { waiter in
            self.waiter = waiter
            controller.performRequests()
        }
    }

    func cancel() { controller.cancel() }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        anchor
    }

    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        waiter?.resume(returning: PasskeyOutcome(authorization.credential))
        waiter = nil
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithError error: any Error
    ) {
        waiter?.resume(throwing: error)
        waiter = nil
    }
}
