// SPDX-License-Identifier: Apache-2.0
import CTAP
public import Foundation

/// A new passkey of this machine.
public final class ASAuthorizationPlatformPublicKeyCredentialRegistration: NSObject,
    ASAuthorizationPublicKeyCredentialRegistration, Sendable
{
    /// The client data, byte for byte as they were hashed.
    public let rawClientDataJSON: Data
    /// The identifier of the passkey.
    public let credentialID: Data
    /// The attestation object.
    public let rawAttestationObject: Data?
    /// Always in this machine.
    public let attachment = ASAuthorizationPublicKeyCredentialAttachment.platform
    /// Whether the passkey supports a large blob, if that was requested.
    public let largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput?
    /// Whether secrets can be derived, and those that were.
    public let prf: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput?

    init(_ outcome: SecurityKeyRegistration) {
        rawClientDataJSON = Data(outcome.clientDataJSON)
        credentialID = Data(outcome.credentialId)
        rawAttestationObject = Data(outcome.attestationObject)
        largeBlob = .init(outcome.clientExtensionResults)
        prf = .init(outcome.clientExtensionResults)
    }

    /// From an archive, which has neither large blob nor secrets.
    public init?(coder: NSCoder) {
        guard let archive = ArchivedRegistration(coder) else { return nil }
        rawClientDataJSON = archive.clientData
        credentialID = archive.credentialID
        rawAttestationObject = archive.attestationObject
        (largeBlob, prf) = (nil, nil)
    }
}
