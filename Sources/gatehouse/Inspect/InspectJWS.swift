// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// `gatehouse inspect jws`: `{"jws","jwk" or "jwks","alg"?}`.
package enum InspectJWS {
    package static func verdict(for input: JSONValue) -> JSONValue {
        InspectionInput.verdict(on: input, named: "jws") {
            (jws: UnverifiedJWS, keys, input) throws(JOSEError) in
            let verified = try verifier(keys, pinned: input["alg"]).verify(jws)
            return [
                "header": .object(verified.header.members),
                "payload": .string(Base64URL.encode(verified.payload)),
            ]
        }.json
    }

    /// Without `alg`, every algorithm that fits the key is allowed, because an inspection grants no
    /// access.
    private static func verifier(
        _ keys: InspectionInput.Keys, pinned: JSONValue?
    ) throws(JOSEError) -> JWSVerifier {
        var algorithms = JWSAlgorithm.allCases
        if let pinned {
            guard let algorithm = pinned.string.flatMap({ JWSAlgorithm(exactly: $0) }) else {
                throw JOSEError(.algorithmUnsupported, "alg is no signature algorithm here")
            }
            algorithms = [algorithm]
        }
        return switch keys {
        case .one(let key):
            JWSVerifier(key: key, algorithms: algorithms, rule: .noWeakerHash)
        case .set(let set):
            JWSVerifier(keys: set, algorithms: algorithms, rule: .noWeakerHash)
        }
    }
}
