// SPDX-License-Identifier: Apache-2.0
import CBOR
import WebAuthn

/// Writes attestation statements (WebAuthn sections 8.2 and 8.7).
struct AttestationStatementWriter {
    let request: MakeCredentialRequest
    let credential: AuthenticatorCredential
    let attestsEnterprise: Bool

    func attest(
        _ data: [UInt8], _ machine: AuthenticatorMachine
    ) throws(CTAPStatus) -> MakeCredentialResponse {
        let configuration = machine.configuration
        let (data, message) = configuration.misbehaviour.corrupted(
            data, clientDataHash: request.clientDataHash)
        // A client can prefer "none" to all other formats (CTAP 2.2). Enterprise attestation takes
        // precedence, because the client requested it explicitly.
        let prefersNone = request.attestationFormatsPreference?.first == "none"
        if !attestsEnterprise, prefersNone || configuration.attestation == .none {
            return MakeCredentialResponse(format: "none", authenticatorData: data)
        }
        let usesCertificate = attestsEnterprise || configuration.attestation == .certificate
        let statement =
            usesCertificate
            ? try certified(message, machine.state) : try selfSigned(message, machine.hardware)
        var response = MakeCredentialResponse(
            format: "packed", authenticatorData: data, attestationStatement: .map(statement))
        if attestsEnterprise { response.enterpriseAttestation = true }
        return response
    }

    private func selfSigned(
        _ message: [UInt8], _ hardware: (any CredentialHardware)?
    ) throws(CTAPStatus) -> [CBOREntry] {
        [
            CBOREntry(.text("alg"), .integer(credential.key.algorithm.rawValue)),
            CBOREntry(.text("sig"), .byteString(try credential.key.sign(message, by: hardware))),
        ]
    }

    private func certified(
        _ message: [UInt8], _ state: AuthenticatorState
    ) throws(CTAPStatus) -> [CBOREntry] {
        guard let key = CredentialPrivateKey(.es256, raw: state.attestationKey) else {
            throw .other
        }
        return [
            CBOREntry(.text("alg"), .integer(-7)),
            CBOREntry(.text("sig"), .byteString(try key.sign(message, by: nil))),
            CBOREntry(.text("x5c"), .array([.byteString(state.attestationCertificate)])),
        ]
    }
}
