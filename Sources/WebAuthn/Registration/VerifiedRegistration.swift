// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A credential that passed section 7.1. Only ``RelyingParty`` creates one.
///
/// Step 7.1.26 is the caller's: the credential id must not be registered for any person. Only an
/// atomic insert into the store can check that.
package struct VerifiedRegistration: Sendable {
    /// At most 1023 bytes.
    package let credentialId: [UInt8]
    /// The COSE key, byte for byte as the authenticator sent it.
    package let publicKey: [UInt8]
    package let algorithm: COSEAlgorithm
    package let aaguid: AAGUID
    /// The attestation statement format identifier.
    package let format: String
    package let attestationType: AttestationType
    package let trust: AttestationTrust
    /// DER, the attestation certificate first.
    package let trustPath: [[UInt8]]
    package let flags: AuthenticatorFlags
    package let signCount: UInt32
    package let transports: [String]
    package let authenticatorAttachment: AuthenticatorAttachment?
    /// The CBOR map of authenticator extension outputs, signed only as far as the attestation is.
    package let extensions: ExtensionOutputs?
    /// The client's unsigned extension outputs, without key material.
    package let clientExtensionResults: JSONObject
    /// The requested outputs, decoded.
    package let extensionResults: RegistrationExtensionResults

    package var isUserVerified: Bool { flags.contains(.userVerified) }
    package var isBackupEligible: Bool { flags.contains(.backupEligible) }
    package var isBackedUp: Bool { flags.contains(.backupState) }

    init(
        _ response: UnverifiedRegistration, object: AttestationObject,
        credential: AttestedCredentialData, key: COSEPublicKey, statement: VerifiedStatement,
        trust: AttestationTrust, extensions results: RegistrationExtensionResults
    ) {
        credentialId = Array(credential.credentialId)
        publicKey = Array(credential.publicKeyBytes)
        algorithm = key.algorithm
        aaguid = credential.aaguid
        format = object.format
        attestationType = statement.type
        self.trust = trust
        trustPath = statement.trustPath.map(\.der)
        flags = object.authenticatorData.flags
        signCount = object.authenticatorData.signCount
        transports = response.transports
        authenticatorAttachment = response.authenticatorAttachment
        extensions = object.authenticatorData.extensions
        clientExtensionResults = response.clientExtensionResults.withoutSecrets
        extensionResults = results
    }
}
