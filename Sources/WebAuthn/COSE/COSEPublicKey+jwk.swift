// SPDX-License-Identifier: Apache-2.0
package import JOSE

extension COSEPublicKey {
    /// The same key as a JWK; `nil` for kinds that no device key has here.
    package var jwk: PublicJWK? { PublicJWK(material) }
}
