// SPDX-License-Identifier: Apache-2.0
import JOSE
import WebAuthn

extension AttestationInspection {
    static func tpm(_ fields: InspectionFields) async throws(InspectionFailure) -> JSONValue {
        let algorithm = try fields.required("algorithm", "a COSE algorithm") {
            $0.integer.flatMap { COSEAlgorithm(rawValue: $0) }
        }
        let evidence = UnverifiedTPMKey(
            publicArea: try fields.bytes("publicArea"),
            certifyInfo: try fields.bytes("certifyInfo"),
            signature: try fields.bytes("signature"), algorithm: algorithm,
            certificates: try fields.certificates("certificates") ?? [],
            attestationKey: try fields.key("attestationKey"))
        let verifier = TPMKeyVerifier(trust: try trust(fields))
        let expectation = try fields.expectation(key: try fields.key("publicKey"))
        let verified = try await verifier.inspect(evidence, expectation)
        return ["publicKey": verified.key.json, "attestationKey": verified.attestationKey.json]
    }

    /// `attestationKeys` that are known, or else `roots` and `vendors`.
    private static func trust(
        _ fields: InspectionFields
    ) throws(InspectionFailure) -> TPMAttestationKeyTrust {
        if let known = try fields.keys("attestationKeys") { return .known(known) }
        return .certified(
            roots: try fields.roots(orElse: nil), vendors: try fields.set("vendors"))
    }
}
