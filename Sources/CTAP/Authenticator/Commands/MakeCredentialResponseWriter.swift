// SPDX-License-Identifier: Apache-2.0
import WebAuthn

/// Writes the response of makeCredential: authenticator data, extension outputs and attestation.
struct MakeCredentialResponseWriter {
    let request: MakeCredentialRequest
    let credential: AuthenticatorCredential
    let isVerified: Bool
    let secrets: SaltedSecrets?
    let attestsEnterprise: Bool

    func write(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> MakeCredentialResponse {
        let outputs = try outputs(&machine)
        var flags: AuthenticatorFlags = .userPresent
        if isVerified { flags.insert(.userVerified) }
        let data = AuthenticatorDataWriter(
            rpIdHash: credential.rpIdHash, flags: flags, signCount: try machine.nextSignCount(),
            aaguid: machine.configuration.aaguid, credential: credential,
            extensions: outputs.cbor
        ).bytes
        var response = try AttestationStatementWriter(
            request: request, credential: credential, attestsEnterprise: attestsEnterprise
        ).attest(data, machine)
        response.largeBlobKey = credential.discoverable?.largeBlobKey
        return response
    }

    private func outputs(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> MakeCredentialExtensionOutputs {
        var outputs = MakeCredentialExtensionOutputs()
        guard let inputs = request.extensions else { return outputs }
        if inputs.credProtect != nil { outputs.credProtect = credential.protection.rawValue }
        if let blob = inputs.credBlob {
            outputs.credBlob = credential.discoverable.map { $0.blob == blob } ?? false
        }
        if inputs.minPinLength == true,
            machine.state.minimumPINLengthRPIDs.contains(request.rp.id)
        {
            outputs.minPinLength = machine.state.minimumPINLength
        }
        if inputs.hmacSecret == true { outputs.hmacSecret = true }
        if inputs.thirdPartyPayment == true { outputs.thirdPartyPayment = true }
        outputs.hmacSecretMC = try secrets?.output(
            of: credential.id, verified: isVerified, &machine)
        return outputs
    }
}
