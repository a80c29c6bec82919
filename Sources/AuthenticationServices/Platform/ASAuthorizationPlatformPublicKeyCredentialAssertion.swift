// SPDX-License-Identifier: Apache-2.0
import CTAP
public import Foundation

/// A sign-in with a passkey of this machine.
public final class ASAuthorizationPlatformPublicKeyCredentialAssertion: NSObject,
    ASAuthorizationPublicKeyCredentialAssertion, Sendable
{
    /// The client data, byte for byte as they were hashed.
    public let rawClientDataJSON: Data
    /// The identifier of the passkey.
    public let credentialID: Data
    private let authenticatorData: Data
    private let handle: Data
    private let signatureBytes: Data
    /// Always in this machine.
    public let attachment = ASAuthorizationPublicKeyCredentialAttachment.platform
    /// The result of the operation on the large blob, if it was requested.
    public let largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput?
    /// The derived secrets, if they were requested.
    public let prf: ASAuthorizationPublicKeyCredentialPRFAssertionOutput?

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The authenticator data.
    public var rawAuthenticatorData: Data! { authenticatorData }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The user handle.
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
        largeBlob = .init(outcome.clientExtensionResults)
        prf = .init(outcome.clientExtensionResults)
    }

    /// From an archive, which has neither large blob nor secrets.
    public init?(coder: NSCoder) {
        guard let archive = ArchivedAssertion(coder) else { return nil }
        rawClientDataJSON = archive.clientData
        credentialID = archive.credentialID
        authenticatorData = archive.authenticatorData
        handle = archive.userID
        signatureBytes = archive.signature
        (largeBlob, prf) = (nil, nil)
    }
}
