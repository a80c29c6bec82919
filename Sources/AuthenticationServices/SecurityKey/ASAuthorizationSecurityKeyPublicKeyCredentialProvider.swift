// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Makes requests for security keys: USB and NFC.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialProvider: NSObject,
    ASAuthorizationProvider, Sendable
{
    /// The relying party: a domain that the app is associated with.
    public let relyingPartyIdentifier: String

    /// - Parameter relyingPartyIdentifier: a domain that the app is associated with through the
    ///   service `webcredentials`.
    public init(relyingPartyIdentifier: String) {
        self.relyingPartyIdentifier = relyingPartyIdentifier
    }

    /// A request for a new credential on a security key.
    public func createCredentialRegistrationRequest(
        challenge: Data, displayName: String, name: String, userID: Data
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest {
        .init(
            provider: self, challenge: challenge, clientData: nil, displayName: displayName,
            name: name, userID: userID)
    }

    /// A request to sign in with a security key.
    public func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest {
        .init(provider: self, challenge: challenge, clientData: nil)
    }
}

/// The requests that only a browser may make.
public protocol ASAuthorizationWebBrowserSecurityKeyPublicKeyCredentialProvider {
    /// A request for a new credential on behalf of a page.
    func createCredentialRegistrationRequest(
        clientData: ASPublicKeyCredentialClientData, displayName: String, name: String,
        userID: Data
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest

    /// A request to sign in on behalf of a page.
    func createCredentialAssertionRequest(
        clientData: ASPublicKeyCredentialClientData
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest
}

extension ASAuthorizationSecurityKeyPublicKeyCredentialProvider:
    ASAuthorizationWebBrowserSecurityKeyPublicKeyCredentialProvider
{
    /// A request for a new credential on behalf of a page.
    public func createCredentialRegistrationRequest(
        clientData: ASPublicKeyCredentialClientData, displayName: String, name: String,
        userID: Data
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest {
        .init(
            provider: self, challenge: clientData.challenge, clientData: clientData,
            displayName: displayName, name: name, userID: userID)
    }

    /// A request to sign in on behalf of a page.
    public func createCredentialAssertionRequest(
        clientData: ASPublicKeyCredentialClientData
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest {
        .init(provider: self, challenge: clientData.challenge, clientData: clientData)
    }
}
