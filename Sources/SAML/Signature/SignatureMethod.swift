// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE

/// The algorithms of signatures and digests that are taken (RFC 6931). No SHA-1, and no HMAC: with
/// one, an issuer's public key could be made into a shared one.
enum SignatureMethod {
    private static let more = "http://www.w3.org/2001/04/xmldsig-more#"

    static func algorithm(_ name: String) -> JWSAlgorithm? {
        switch name {
        case more + "rsa-sha256": .rs256
        case more + "rsa-sha384": .rs384
        case more + "rsa-sha512": .rs512
        case more + "ecdsa-sha256": .es256
        case more + "ecdsa-sha384": .es384
        case more + "ecdsa-sha512": .es512
        default: nil
        }
    }
}
