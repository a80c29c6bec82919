// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE
import PlatformSSO
import Primitives
package import TPM

/// The word of this machine's TPM for a key, as the registration of a device brings it
/// (docs/platform-sso-provider.md, `attestation`).
package struct KeyAttestation: Sendable, Equatable {
    package let certification: TPMCertification
    package let attestationKey: PublicJWK

    /// ES256 of COSE.
    private static let algorithm: Int64 = -7

    /// As providers read it.
    private var inDER: [UInt8] {
        let read = try? P256.Signing.ECDSASignature(rawRepresentation: certification.signature)
        return read.map { Array($0.derRepresentation) } ?? []
    }

    var json: JSONValue {
        [
            "format": "tpm",
            "public_area": .string(Base64URL.encode(certification.publicArea)),
            "certify_info": .string(Base64URL.encode(certification.certifyInfo)),
            "signature": .string(Base64URL.encode(inDER)),
            "alg": .integer(Self.algorithm), "attestation_key": attestationKey.json,
        ]
    }
}

extension AgentKey {
    /// `SubjectPublicKeyInfo`, in base64.
    var encoded: String? {
        guard let point = publicKey.x963,
            let key = try? P256.Signing.PublicKey(x963Representation: point)
        else { return nil }
        return Base64.encode(Array(key.derRepresentation))
    }
}

extension Agent {
    /// Made once; who it is, an administrator tells the provider.
    func makeAttestationKey() async {
        guard record.attestationKey == nil else { return }
        do {
            guard let key = try await keys.makeAttestationKey() else { return }
            record.attestationKey = key
            try await keep()
        } catch { notices.failed("making an attestation key", error) }
    }

    /// - Returns: `nil` where no hardware vouches for anything.
    func attest(
        _ key: AgentKey, challenge: [UInt8], attempt: UInt64
    ) async throws -> KeyAttestation? {
        try confirm(attempt)
        guard key.kind == .tpm else { return nil }
        await makeAttestationKey()
        guard let own = record.attestationKey else { return nil }
        return KeyAttestation(
            certification: try await keys.certify(key, with: own, challenge: challenge),
            attestationKey: own.publicKey)
    }
}
