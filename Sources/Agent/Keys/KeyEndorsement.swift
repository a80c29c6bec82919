// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
package import TPM

/// The endorsement of a TPM by its manufacturer, and the attestation key in the TPM.
package struct KeyEndorsement: Sendable, Equatable {
    package let endorsement: TPMEndorsement
    /// `TPMT_PUBLIC` of the attestation key.
    package let attestationArea: [UInt8]

    /// What both a question and a registration name.
    private var members: JSONObject {
        JSONObject([
            .init(
                name: "x5c", value: .array([.string(Base64.encode(endorsement.certificate))])),
            .init(name: "attestation_area", value: .string(Base64URL.encode(attestationArea))),
        ])
    }

    /// Asks a provider to seal something for both (docs/platform-sso-provider.md,
    /// `device_endorsement`).
    func question(nonce: String) -> JSONObject {
        var object = members
        object["nonce"] = .string(nonce)
        object["endorsement_area"] = .string(Base64URL.encode(endorsement.publicArea))
        return object
    }

    /// The member `endorsement` of evidence.
    func evidence(_ secret: Secret) -> JSONValue {
        var object = members
        object["secret"] = .string(Base64URL.encode(secret.reveal()))
        return .object(object)
    }
}
