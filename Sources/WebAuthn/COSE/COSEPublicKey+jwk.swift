// SPDX-License-Identifier: Apache-2.0
package import JOSE

extension COSEPublicKey {
    /// The same key as a JWK; `nil` for unsupported kinds.
    package var jwk: PublicJWK? { PublicJWK(material) }
}
