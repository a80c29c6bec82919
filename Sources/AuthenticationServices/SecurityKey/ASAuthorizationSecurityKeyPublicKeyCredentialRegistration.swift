// SPDX-License-Identifier: Apache-2.0
import CTAP
public import Foundation

/// A new credential on a security key.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialRegistration: NSObject,
    ASAuthorizationPublicKeyCredentialRegistration, Sendable
{
    /// The client data, byte for byte as they were hashed.
    public let rawClientDataJSON: Data
    /// The identifier of the credential.
    public let credentialID: Data
    /// The attestation object.
    public let rawAttestationObject: Data?
    /// The transports of the key.
    public let transports: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport]

    init(_ outcome: SecurityKeyRegistration) {
        rawClientDataJSON = Data(outcome.clientDataJSON)
        credentialID = Data(outcome.credentialId)
        rawAttestationObject = Data(outcome.attestationObject)
        transports = outcome.transports.map { .init($0) }
    }

    /// From an archive.
    public init?(coder: NSCoder) {
        guard let archive = ArchivedRegistration(coder) else { return nil }
        rawClientDataJSON = archive.clientData
        credentialID = archive.credentialID
        rawAttestationObject = archive.attestationObject
        transports = archive.transports.map { .init($0) }
    }
}
