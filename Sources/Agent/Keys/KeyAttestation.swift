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
    /// How the machine was booted.
    package let quote: TPMQuote?
    package let attestationKey: PublicJWK

    /// ES256 of COSE.
    private static let algorithm: Int64 = -7

    /// As providers read it.
    private static func inDER(_ signature: [UInt8]) -> [UInt8] {
        let read = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        return read.map { Array($0.derRepresentation) } ?? []
    }

    var json: JSONValue {
        var object = JSONObject([.init(name: "format", value: "tpm")])
        object["public_area"] = .string(Base64URL.encode(certification.publicArea))
        object["certify_info"] = .string(Base64URL.encode(certification.certifyInfo))
        object["signature"] = .string(Base64URL.encode(Self.inDER(certification.signature)))
        object["alg"] = .integer(Self.algorithm)
        object["attestation_key"] = attestationKey.json
        object["quote"] = quote.map { Self.json($0) }
        return .object(object)
    }

    private static func json(_ quote: TPMQuote) -> JSONValue {
        let registers = quote.registers.sorted { $0.key < $1.key }.map {
            JSONObject.Member(name: "\($0.key)", value: .string(Base64URL.encode($0.value)))
        }
        return [
            "quoted": .string(Base64URL.encode(quote.quoted)),
            "signature": .string(Base64URL.encode(inDER(quote.signature))),
            "pcrs": .object(JSONObject(registers)),
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
