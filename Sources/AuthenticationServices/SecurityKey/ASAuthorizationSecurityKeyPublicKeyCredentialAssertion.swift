// SPDX-License-Identifier: Apache-2.0
import CTAP
public import Foundation

/// A sign-in with a security key.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialAssertion: NSObject,
    ASAuthorizationPublicKeyCredentialAssertion, Sendable
{
    /// The client data, byte for byte as they were hashed.
    public let rawClientDataJSON: Data
    /// The identifier of the credential.
    public let credentialID: Data
    private let authenticatorData: Data
    private let handle: Data
    private let signatureBytes: Data
    /// Whether the credential was registered under the AppID of the request.
    public let appID: Bool
    /// The derived secrets, if they were requested.
    public let prf: ASAuthorizationPublicKeyCredentialPRFAssertionOutput?

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The authenticator data.
    public var rawAuthenticatorData: Data! { authenticatorData }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The user handle; empty if the key did not store it.
    public var userID: Data! { handle }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The signature.
    public var signature: Data! { signatureBytes }

    init(_ outcome: SecurityKeyAssertion) {
        rawClientDataJSON = Data(outcome.clientDataJSON)
        credentialID = Data(outcome.credentialId)
        authenticatorData = Data(outcome.authenticatorData)
        handle = Data(outcome.userHandle ?? [])
        signatureBytes = Data(outcome.signature)
        appID = outcome.usedAppId
        prf = .init(outcome.clientExtensionResults)
    }

    /// From an archive, which has no secrets.
    public init?(coder: NSCoder) {
        guard let archive = ArchivedAssertion(coder) else { return nil }
        rawClientDataJSON = archive.clientData
        credentialID = archive.credentialID
        authenticatorData = archive.authenticatorData
        handle = archive.userID
        signatureBytes = archive.signature
        appID = archive.appID
        prf = nil
    }
}
