// SPDX-License-Identifier: Apache-2.0
import CBOR
import WebAuthn

/// The reply to a getAssertion, checked against what was asked. The signature is not: only the
/// relying party has the public key.
struct AssertionReply: Sendable {
    let response: GetAssertionResponse
    let credentialId: [UInt8]
    let outputs: GetAssertionExtensionOutputs

    init(
        _ response: GetAssertionResponse, allowList: [CTAPCredentialDescriptor]?,
        relyingPartyIdHash: [UInt8], mustBeVerified: Bool
    ) throws(SecurityKeyError) {
        self.response = response
        let data = try AuthenticatorReply.read(
            response.authenticatorData, relyingPartyIdHash: relyingPartyIdHash,
            mustBePresent: true, mustBeVerified: mustBeVerified)
        guard data.attestedCredential == nil else {
            throw .untrustworthyReply("a new credential in an assertion")
        }
        guard 1...8192 ~= response.signature.count else {
            throw .untrustworthyReply("a signature of that length")
        }
        credentialId = try Self.credentialId(response, allowList)
        if let user = response.user, user.id.isEmpty {
            throw .untrustworthyReply("an empty user handle")
        }
        if let extensions = data.extensions {
            outputs = try SecurityKey.read { () throws(CTAPMessageError) in
                try GetAssertionExtensionOutputs(.map(extensions.outputs))
            }
        } else {
            outputs = GetAssertionExtensionOutputs()
        }
    }

    /// A key may leave the id out when there was only one (CTAP 2.0 section 5.2).
    private static func credentialId(
        _ response: GetAssertionResponse, _ allowList: [CTAPCredentialDescriptor]?
    ) throws(SecurityKeyError) -> [UInt8] {
        guard let id = response.credential?.id else {
            guard let allowList, allowList.count == 1 else {
                throw .untrustworthyReply("no credential id")
            }
            return allowList[0].id
        }
        guard 1...1023 ~= id.count else {
            throw .untrustworthyReply("a credential id of that length")
        }
        guard allowList?.contains(where: { $0.id == id }) ?? true else {
            throw .untrustworthyReply("a credential that was not asked for")
        }
        return id
    }

    /// For people, who choose by name.
    var account: SecurityKeyAccount {
        SecurityKeyAccount(
            credentialId: credentialId, userHandle: response.user?.id ?? [],
            name: response.user?.name.map(PromptText.clean),
            displayName: response.user?.displayName.map(PromptText.clean))
    }
}
