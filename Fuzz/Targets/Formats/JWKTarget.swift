// SPDX-License-Identifier: Apache-2.0
import JOSE

extension FuzzTarget {
    /// A public key is written and read back the same; a set never publishes a private part.
    static let jwk = FuzzTarget(name: "jwk") { bytes in
        if let key = try? JSONWebKey(bytes: bytes), let open = key.publicKey {
            let again = try? JSONWebKey(bytes: open.json.bytes).publicKey
            precondition(again == open, "a JWK does not survive writing")
        }
        if let set = try? JWKSet(bytes: bytes) {
            let published = set.publicJSON["keys"]?.array ?? []
            precondition(published.allSatisfy { $0["d"] == nil && $0["k"] == nil })
        }
    }
}
