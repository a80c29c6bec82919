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

enum DigestMethod: String {
    case sha256 = "http://www.w3.org/2001/04/xmlenc#sha256"
    case sha384 = "http://www.w3.org/2001/04/xmldsig-more#sha384"
    case sha512 = "http://www.w3.org/2001/04/xmlenc#sha512"

    func digest(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}
