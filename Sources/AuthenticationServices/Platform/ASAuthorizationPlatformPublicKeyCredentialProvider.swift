// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Makes requests for passkeys of this machine.
public final class ASAuthorizationPlatformPublicKeyCredentialProvider: NSObject,
    ASAuthorizationProvider, Sendable
{
    /// The relying party: a domain that the app is associated with.
    public let relyingPartyIdentifier: String

    /// - Parameter relyingPartyIdentifier: a domain that the app is associated with through the
    ///   service `webcredentials`.
    public init(relyingPartyIdentifier: String) {
        self.relyingPartyIdentifier = relyingPartyIdentifier
    }

    /// A request for a new passkey.
    public func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        createCredentialRegistrationRequest(
            challenge: challenge, name: name, userID: userID, requestStyle: .standard)
    }

    /// A request for a new passkey in a style.
    public func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data,
        requestStyle: ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest.RequestStyle
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        .init(
            provider: self, challenge: challenge, clientData: nil, name: name, userID: userID,
            requestStyle: requestStyle)
    }

    /// A request to sign in with a passkey.
    public func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
        .init(provider: self, challenge: challenge, clientData: nil)
    }
}

/// The requests that only a browser may make.
public protocol ASAuthorizationWebBrowserPlatformPublicKeyCredentialProvider {
    /// A request for a new passkey on behalf of a page.
    func createCredentialRegistrationRequest(
        clientData: ASPublicKeyCredentialClientData, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest

    /// A request to sign in on behalf of a page.
    func createCredentialAssertionRequest(
        clientData: ASPublicKeyCredentialClientData
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest
}

extension ASAuthorizationPlatformPublicKeyCredentialProvider:
    ASAuthorizationWebBrowserPlatformPublicKeyCredentialProvider
{
    /// A request for a new passkey on behalf of a page.
    public func createCredentialRegistrationRequest(
        clientData: ASPublicKeyCredentialClientData, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        .init(
            provider: self, challenge: clientData.challenge, clientData: clientData, name: name,
            userID: userID, requestStyle: .standard)
    }

    /// A request to sign in on behalf of a page.
    public func createCredentialAssertionRequest(
        clientData: ASPublicKeyCredentialClientData
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
        .init(provider: self, challenge: clientData.challenge, clientData: clientData)
    }
}
