// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// developer.apple.com/documentation/authenticationservices, each page by the name of what it
// describes. Classes are not `Sendable` unless their page says so.
public import Foundation

// MARK: Windows

/// AppKit's or UIKit's window.
@MainActor open class ASPresentationAnchor: NSObject {}

// MARK: Controller

open class ASAuthorizationController: NSObject {
    public init(authorizationRequests: [ASAuthorizationRequest]) {}

    open weak var delegate: (any ASAuthorizationControllerDelegate)?
    open weak var presentationContextProvider:
        (any ASAuthorizationControllerPresentationContextProviding)?

    open func performRequests() {}
    open func cancel() {}
}

@MainActor public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    // Both are optional there.
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization)
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithError error: any Error)
}

@MainActor
public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}

open class ASAuthorization: NSObject {
    open var credential: any ASAuthorizationCredential

    init(credential: any ASAuthorizationCredential) { self.credential = credential }
}

public protocol ASAuthorizationCredential: NSObjectProtocol {}

public struct ASAuthorizationError: Error {
    /// An open enumeration of Objective-C: a `switch` needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let canceled = Code(rawValue: 1001)
        public static let notHandled = Code(rawValue: 1003)
        /// iOS 18, macOS 15.
        public static let matchedExcludedCredential = Code(rawValue: 1006)
    }

    public let code: Code
}

// MARK: Requests

open class ASAuthorizationRequest: NSObject {}

open class ASAuthorizationPlatformPublicKeyCredentialProvider: NSObject {
    public init(relyingPartyIdentifier: String) {}

    open func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest { .init() }

    open func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest { .init() }
}

public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference:
    RawRepresentable, Hashable, Sendable
{
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let required = Self(rawValue: "required")
}

open class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject {
    public init(credentialID: Data) {}
}

open class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest {
    open var displayName: String?
    open var userVerificationPreference:
        ASAuthorizationPublicKeyCredentialUserVerificationPreference = .required
    // Of ASAuthorizationWebBrowserPlatformPublicKeyCredentialRegistrationRequest, which it is:
    // iOS 17.4, macOS 13.5.
    open var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?
}

open class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest {
    open var userVerificationPreference:
        ASAuthorizationPublicKeyCredentialUserVerificationPreference = .required
    open var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []
}

// MARK: Credentials

open class ASAuthorizationPlatformPublicKeyCredentialRegistration: NSObject,
    ASAuthorizationCredential
{
    open var credentialID: Data { Data() }
    open var rawClientDataJSON: Data { Data() }
    open var rawAttestationObject: Data? { nil }
}

open class ASAuthorizationPlatformPublicKeyCredentialAssertion: NSObject,
    ASAuthorizationCredential
{
    open var credentialID: Data { Data() }
    open var rawClientDataJSON: Data { Data() }
    open var rawAuthenticatorData: Data! { nil }
    open var signature: Data! { nil }
    open var userID: Data! { nil }
}

// MARK: Browser: documentation/authenticationservices/aswebauthenticationsession

open class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    /// iOS 17.4, macOS 14.4.
    open class Callback: NSObject {
        override init() {}

        open class func customScheme(_ customScheme: String) -> Self { fatalError() }
        open class func https(host: String, path: String) -> Self { fatalError() }
    }

    public init(
        url URL: URL, callback: ASWebAuthenticationSession.Callback,
        completionHandler: @escaping ASWebAuthenticationSession.CompletionHandler
    ) {}

    open weak var presentationContextProvider:
        (any ASWebAuthenticationPresentationContextProviding)?
    open var prefersEphemeralWebBrowserSession = false

    open func start() -> Bool { false }
    open func cancel() {}
}

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable {
        case canceledLogin = 1, presentationContextNotProvided, presentationContextInvalid
    }

    public let code: Code
}
