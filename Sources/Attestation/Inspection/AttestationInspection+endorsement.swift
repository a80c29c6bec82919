// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

extension AttestationInspection {
    /// Inspects an endorsement key's certificate and an attestation key; with `secret`, also
    /// creates the credential that only their TPM decrypts.
    static func tpmEndorsement(
        _ fields: InspectionFields
    ) async throws(InspectionError) -> JSONValue {
        let evidence = UnverifiedTPMEndorsement(
            certificates: try fields.certificates("certificates") ?? [],
            attestationArea: try fields.bytes("attestationArea"))
        let verifier = TPMEndorsementVerifier(
            roots: try fields.roots(orElse: nil), vendors: try fields.set("vendors"))
        let endorsement: VerifiedTPMEndorsement
        let now = try fields.now()
        do { endorsement = try await verifier.check(evidence, now: now) } catch {
            throw .refused(error)
        }
        var value = JSONObject([
            .init(name: "endorsementKey", value: endorsement.key.json),
            .init(name: "manufacturer", value: .string(endorsement.maker.vendor)),
            .init(name: "model", value: .string(endorsement.maker.model)),
            .init(name: "version", value: .string(endorsement.maker.version)),
            .init(name: "attestationKey", value: endorsement.attestationKey.json),
            .init(
                name: "attestationName",
                value: .string(Base64URL.encode(endorsement.attestationName))),
        ])
        if let secret = try secret(fields) {
            let area = try fields.bytes("endorsementArea")
            let credential = try InspectionError.refusing { () throws(AttestationRefusal) in
                try endorsement.credential(secret, to: area)
            }
            value["credentialBlob"] = .string(Base64URL.encode(credential.blob))
            value["encryptedSecret"] = .string(Base64URL.encode(credential.encryptedSecret))
        }
        return .object(value)
    }

    private static func secret(
        _ fields: InspectionFields
    ) throws(InspectionError) -> [UInt8]? {
        try fields.reader.optional("secret", .base64url(1...TPMCredential.maximumSecretBytes))
    }
}
