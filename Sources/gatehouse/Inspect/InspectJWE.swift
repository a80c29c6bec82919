// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// `gatehouse inspect jwe`: `{"jwe","jwk" or "jwks"}`.
package enum InspectJWE {
    package static func verdict(for input: JSONValue) -> JSONValue {
        InspectionInput.verdict(on: input, named: "jwe") {
            (jwe: UnverifiedJWE, keys, _) throws(JOSEError) in
            let decrypter = JWEDecrypter(
                key: try key(keys, for: jwe), algorithms: JWEAlgorithm.allCases)
            let decrypted = try decrypter.decrypt(jwe)
            return [
                "header": .object(decrypted.header.members),
                "plaintext": .string(Base64URL.encode(decrypted.plaintext)),
            ]
        }.json
    }

    private static func key(
        _ keys: InspectionInput.Keys, for jwe: UnverifiedJWE
    ) throws(JOSEError) -> JSONWebKey {
        switch keys {
        case .one(let key): return key
        case .set(let set):
            let named = jwe.header.keyID.flatMap { set.key(id: $0) }
            guard let key = named ?? (set.keys.count == 1 ? set.keys.first : nil) else {
                throw JOSEError(.keyNotFound, "no key of the set has the kid of the message")
            }
            return key
        }
    }
}
