// SPDX-License-Identifier: Apache-2.0
import WebAuthn

/// Writes one signed assertion.
struct AssertionWriter {
    let request: GetAssertionRequest
    let credential: AuthenticatorCredential
    let flags: AuthenticatorSession.AssertionFlags
    let secrets: SaltedSecrets?
    /// Whether the response contains the names of the user.
    let showsAccount: Bool

    func write(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> GetAssertionResponse {
        var outputs = GetAssertionExtensionOutputs()
        if request.extensions?.credBlob == true {
            outputs.credBlob = credential.discoverable?.blob ?? []
        }
        outputs.hmacSecret = try secrets?.output(
            of: credential.id, verified: flags.verified, &machine)
        if request.extensions?.thirdPartyPayment == true {
            outputs.thirdPartyPayment = credential.thirdPartyPayment
        }
        var data = AuthenticatorDataWriter(
            rpIdHash: credential.rpIdHash, flags: [], signCount: try machine.nextSignCount(),
            extensions: outputs.cbor)
        if flags.present { data.flags.insert(.userPresent) }
        if flags.verified { data.flags.insert(.userVerified) }
        return try signed(data, machine)
    }

    private func signed(
        _ writer: AuthenticatorDataWriter, _ machine: AuthenticatorMachine
    ) throws(CTAPStatus) -> GetAssertionResponse {
        let misbehaviour = machine.configuration.misbehaviour
        let (data, message) = misbehaviour.corrupted(writer, clientDataHash: request.clientDataHash)
        var response = GetAssertionResponse(
            credential: misbehaviour.corrupted(credential.descriptor), authenticatorData: data,
            signature: try credential.key.sign(message, by: machine.hardware))
        if let discoverable = credential.discoverable {
            // Names require verification, and only a choice of accounts needs them.
            response.user =
                showsAccount ? discoverable.user : CTAPUser(id: discoverable.user.id)
            if request.extensions?.largeBlobKey == true {
                response.largeBlobKey = discoverable.largeBlobKey
            }
        }
        return response
    }
}
