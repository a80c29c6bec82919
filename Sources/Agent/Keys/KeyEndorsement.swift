// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
package import TPM

/// A TPM that its maker vouches for, and the key in it that vouches for others.
package struct KeyEndorsement: Sendable, Equatable {
    package let endorsement: TPMEndorsement
    /// `TPMT_PUBLIC` of the attestation key.
    package let attestationArea: [UInt8]

    package init(endorsement: TPMEndorsement, attestationArea: [UInt8]) {
        self.endorsement = endorsement
        self.attestationArea = attestationArea
    }

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

/// What a provider has sealed for a TPM and a key in it.
package struct SealedCredential: Sendable, Equatable {
    /// The contents of `TPM2B_ID_OBJECT`.
    package let blob: [UInt8]
    /// The contents of `TPM2B_ENCRYPTED_SECRET`.
    package let encryptedSecret: [UInt8]

    package init(blob: [UInt8], encryptedSecret: [UInt8]) {
        self.blob = blob
        self.encryptedSecret = encryptedSecret
    }

    /// `nil` for what is no answer of a provider.
    init?(json: [UInt8]) {
        guard let object = try? JSONParser.parseObject(json, maximumBytes: 16_384),
            let blob = object["credential_blob"]?.string.flatMap({ Base64URL.decode($0) }),
            let secret = object["encrypted_secret"]?.string.flatMap({ Base64URL.decode($0) }),
            1...1024 ~= blob.count, 1...1024 ~= secret.count
        else { return nil }
        self.init(blob: blob, encryptedSecret: secret)
    }
}

extension Agent {
    /// - Returns: `nil` where nobody vouches for a TPM.
    func endorsement(attempt: UInt64) async throws -> KeyEndorsement? {
        try confirm(attempt)
        await makeAttestationKey()
        guard let own = record.attestationKey else { return nil }
        return try await keys.endorsement(of: own)
    }

    func activate(
        _ endorsement: KeyEndorsement, _ credential: SealedCredential, attempt: UInt64
    ) async throws -> Secret {
        try confirm(attempt)
        guard let own = record.attestationKey else {
            throw KeyStoreError.unusable("it is in no TPM")
        }
        return try await keys.activate(own, with: endorsement.endorsement.kind, credential)
    }
}
