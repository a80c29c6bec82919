// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import Primitives
import WebAuthn

/// Attestation statements (WebAuthn sections 8.2 and 8.7).
extension SoftwareAuthenticator {
    func attest(
        _ data: [UInt8], _ request: MakeCredentialRequest, _ credential: AuthenticatorCredential,
        attestsEnterprise: Bool
    ) throws(CTAPStatus) -> MakeCredentialResponse {
        let (data, message) = configuration.misbehaviour.spoilt(
            data, clientDataHash: request.clientDataHash)
        // A client that prefers "none" to everything else gets it (CTAP 2.2); enterprise
        // attestation was asked for by name.
        let prefersNone = request.attestationFormatsPreference?.first == "none"
        if !attestsEnterprise, prefersNone || configuration.attestation == .none {
            return MakeCredentialResponse(format: "none", authenticatorData: data)
        }
        let usesCertificate = attestsEnterprise || configuration.attestation == .certificate
        let statement =
            usesCertificate
            ? try certified(message) : try selfSigned(message, credential.key)
        var response = MakeCredentialResponse(
            format: "packed", authenticatorData: data, attestationStatement: .map(statement))
        if attestsEnterprise { response.enterpriseAttestation = true }
        return response
    }

    private func selfSigned(
        _ message: [UInt8], _ key: CredentialPrivateKey
    ) throws(CTAPStatus) -> [CBOREntry] {
        [
            CBOREntry(.text("alg"), .integer(key.algorithm.rawValue)),
            CBOREntry(.text("sig"), .byteString(try key.sign(message, by: hardware))),
        ]
    }

    private func certified(_ message: [UInt8]) throws(CTAPStatus) -> [CBOREntry] {
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
