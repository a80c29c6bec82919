// SPDX-License-Identifier: Apache-2.0
import CryptoExtras
import Primitives

/// A parser of the DER form in which swift-crypto exports RSA private keys: `RSAPrivateKey` of RFC
/// 8017 appendix A.1.2. It reads generated keys only, but still checks every length.
enum RSAPrivateKeyDER {
    static func generate(bits: Int) throws -> PrivateJWK {
        guard [2048, 3072, 4096].contains(bits) else {
            throw JOSEError(.keyTooWeak, "an RSA key is made with 2048, 3072 or 4096 bits")
        }
        let key = try _RSA.Signing.PrivateKey(keySize: .init(bitCount: bits))
        return try read(Array(key.derRepresentation))
    }

    /// The key pair that swift-crypto wrote.
    static func read(_ der: [UInt8]) throws(JOSEError) -> PrivateJWK {
        guard let numbers = integers(in: der), numbers.count >= 6 else {
            throw JOSEError(.failure, "not an RSAPrivateKey")
        }
        let publicKey = try PublicJWK(
            .rsa(n: numbers[1], e: numbers[2]), parameters: KeyParameters())
        return try PrivateJWK(
            publicKey: publicKey,
            material: .rsa(
                d: Secret(numbers[3]), p: Secret(numbers[4]), q: Secret(numbers[5])))
    }

    /// The integers of the outer SEQUENCE, without leading zeros.
    private static func integers(in der: [UInt8]) -> [[UInt8]]? {
        guard let (tag, body, rest) = element(der[...]), tag == 0x30, rest.isEmpty else {
            return nil
        }
        var remaining = body
        var numbers: [[UInt8]] = []
        while !remaining.isEmpty {
            guard let (tag, number, rest) = element(remaining), tag == 0x02 else { return nil }
            numbers.append(Array(number.drop { $0 == 0 }))
            remaining = rest
        }
        return numbers
    }

    private static func element(
        _ bytes: ArraySlice<UInt8>
    ) -> (tag: UInt8, body: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        guard let tag = bytes.first, let first = bytes.dropFirst().first else { return nil }
        var rest = bytes.dropFirst(2)
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard 1...3 ~= count, rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard rest.count >= length else { return nil }
        return (tag, rest.prefix(length), rest.dropFirst(length))
    }
}
