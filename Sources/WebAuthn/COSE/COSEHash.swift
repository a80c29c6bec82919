// SPDX-License-Identifier: Apache-2.0
import Crypto

/// The hash inside an algorithm.
enum COSEHash: Sendable {
    case sha1, sha256, sha384, sha512

    func digest(_ first: some Sequence<UInt8>, _ second: [UInt8] = []) -> [UInt8] {
        let message = Array(first) + second
        return switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: message))
        case .sha256: Array(SHA256.hash(data: message))
        case .sha384: Array(SHA384.hash(data: message))
        case .sha512: Array(SHA512.hash(data: message))
        }
    }
}
