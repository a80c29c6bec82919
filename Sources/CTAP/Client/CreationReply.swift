// SPDX-License-Identifier: Apache-2.0
import CBOR
import WebAuthn

/// The response to makeCredential, validated against the request. A key cannot make the client
/// forward a credential of another relying party, of an algorithm that was not offered, or without
/// the required verification.
struct CreationReply: Sendable {
    let response: MakeCredentialResponse
    let authenticatorData: AuthenticatorData
    let credential: AttestedCredentialData
    let algorithm: Int64
    let outputs: MakeCredentialExtensionOutputs

    init(
        _ response: MakeCredentialResponse, _ request: MakeCredentialRequest,
        mustBeVerified: Bool, relyingPartyIdHash: [UInt8]
    ) throws(SecurityKeyError) {
        self.response = response
        guard 1...32 ~= response.format.utf8.count,
            response.format.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { throw .untrustworthyReply("an attestation format that is no name") }
        authenticatorData = try AuthenticatorReply.read(
            response.authenticatorData, relyingPartyIdHash: relyingPartyIdHash,
            mustBePresent: true, mustBeVerified: mustBeVerified)
        guard let credential = authenticatorData.attestedCredential else {
            throw .untrustworthyReply("no credential")
        }
        guard 1...1023 ~= credential.credentialId.count else {
            throw .untrustworthyReply("a credential id of that length")
        }
        self.credential = credential
        guard let algorithm = credential.publicKey[3]?.int64,
            request.pubKeyCredParams.contains(where: { $0.algorithm == algorithm })
        else { throw .untrustworthyReply("an algorithm that was not offered") }
        self.algorithm = algorithm
        if request.excludeList?.contains(where: { $0.id.elementsEqual(credential.credentialId) })
            == true
        {
            throw .untrustworthyReply("an id that was to be excluded")
        }
        outputs = try Self.outputs(authenticatorData)
    }

    private static func outputs(
        _ data: AuthenticatorData
    ) throws(SecurityKeyError) -> MakeCredentialExtensionOutputs {
        guard let extensions = data.extensions else { return MakeCredentialExtensionOutputs() }
        return try SecurityKey.read { () throws(CTAPMessageError) in
            try MakeCredentialExtensionOutputs(.map(extensions.outputs))
        }
    }
}
