// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import Foundation
import Support
import Testing
import WebAuthn

/// FIPS 204 verification, compared with swift-crypto for two sets, where swift-crypto is slower,
/// and with PyPI's cryptography for the third.
@Suite struct MLDSATests {
    struct Vector: Decodable, Sendable {
        let publicKey: String
        let message: String
        let signature: String
    }

    private struct File: Decodable { let vectors: [Vector] }

    private static func vectors() throws -> [Vector] {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Vectors/mldsa-44.json")
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: path)).vectors
    }

    /// Made with Python's hashlib: so many bytes 0, 1, 2 …, and the last 16 of 200 bytes of
    /// SHAKE128 and SHAKE256.
    static let hashes: [(Int, String, String)] = [
        (0, "6691abaeb580b32def58538b8d23f877", "6cbe854713672f5caaae314ed9083dab"),
        (135, "f5ce47bd78beb0c949eb837694aa43c9", "c85b534786c6a0ce90ec7721ed0f5a03"),
        (136, "76e7844234913de2cb830ba362cae001", "654c53427abb3932a40afb86b76373e6"),
        (137, "f6e0e98b20bf482f1d40d10846e84f4f", "b8b542f9fd3dc0f9f8f23a3e654af44e"),
        (167, "a17f704e858480ad0b318fdc941ef6c6", "201aa1f66dc95de6960067aa7f56c7da"),
        (168, "ad9fb025f0f1f7f568500936ccceb431", "0804d8bed632baf2816139af66954dba"),
        (169, "b71d80572865466fcd32822474be4a87", "8c51e2da0c68e8c50d478c9b935b06cb"),
        (400, "7e93ef559541a5ca3de2b71d2a252062", "6c675fede9379548c8129434469adfa0"),
    ]

    @Test("SHAKE over the boundaries of its blocks", arguments: hashes)
    func shake(_ count: Int, _ shake128: String, _ shake256: String) throws {
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let first = try SHAKE.shake128.bytes(200, of: message)
        #expect(first.suffix(16).elementsEqual(hex(shake128)))
        let second = try SHAKE.shake256.bytes(200, of: message)
        #expect(second.suffix(16).elementsEqual(hex(shake256)))
    }

    @Test("ML-DSA-44: what PyPI's cryptography signed is valid, and nothing near it is")
    func mlDSA44() throws {
        let vectors = try Self.vectors()
        try #require(vectors.count == 4)
        for vector in vectors {
            let key = try #require(MLDSAPublicKey(hex(vector.publicKey), .mlDSA44))
            let (message, signature) = (hex(vector.message), hex(vector.signature))
            #expect(key.isValid(signature: signature[...], over: message))
            #expect(!key.isValid(signature: signature[...], over: message + [0]))
            #expect(!key.isValid(signature: signature.dropLast(), over: message))
            #expect(!key.isValid(signature: (signature + [0])[...], over: message))
            for index in stride(from: 0, to: signature.count, by: 97) {
                var spoilt = signature
                spoilt[index] ^= 1
                #expect(!key.isValid(signature: spoilt[...], over: message), "byte \(index)")
            }
            // The hints end with how many there are up to each row.
            for index in (signature.count - 84)..<signature.count {
                var spoilt = signature
                spoilt[index] &+= 1
                #expect(!key.isValid(signature: spoilt[...], over: message), "hint \(index)")
            }
        }
    }

    @Test("ML-DSA-44 as a COSE key")
    func cose() throws {
        let vector = try #require(try Self.vectors().last)
        let key = try COSEPublicKey(
            .map([
                CBOREntry(.integer(1), .integer(7)), CBOREntry(.integer(3), .integer(-48)),
                CBOREntry(.integer(-1), .byteString(hex(vector.publicKey))),
            ]))
        #expect(key.algorithm == .mlDSA44)
        let message = hex(vector.message)
        let signature = hex(vector.signature)
        #expect(
            key.isValid(signature: signature[...], over: message[..<10], Array(message[10...])))
        #expect(!key.isValid(signature: signature[...], over: message[..<10], []))
    }

    @Test("ML-DSA-65: our code and swift-crypto agree, on good and on spoilt signatures")
    func mlDSA65() throws {
        let key = try MLDSA65.PrivateKey()
        let other = key.publicKey
        try expectAgreement(
            of: MLDSAPublicKey(Array(other.rawRepresentation), .mlDSA65), seed: 65,
            signing: { Array(try key.signature(for: $0)) },
            judging: { other.isValidSignature($0, for: $1) })
    }

    @Test("ML-DSA-87: our code and swift-crypto agree, on good and on spoilt signatures")
    func mlDSA87() throws {
        let key = try MLDSA87.PrivateKey()
        let other = key.publicKey
        try expectAgreement(
            of: MLDSAPublicKey(Array(other.rawRepresentation), .mlDSA87), seed: 87,
            signing: { Array(try key.signature(for: $0)) },
            judging: { other.isValidSignature($0, for: $1) })
    }

    private func expectAgreement(
        of key: MLDSAPublicKey?, seed: UInt64, signing: ([UInt8]) throws -> [UInt8],
        judging: (_ signature: [UInt8], _ message: [UInt8]) -> Bool
    ) throws {
        let random = SeededRandom(seed: seed)
        let key = try #require(key)
        for round in 0..<20 {
            let message = random.bytes(round)
            var signature = try signing(message)
            #expect(key.isValid(signature: signature[...], over: message))
            signature[Int(random.next() % UInt64(signature.count))] ^= 1
            #expect(
                key.isValid(signature: signature[...], over: message)
                    == judging(signature, message))
        }
    }

    /// Algorithm 36, `Decompose`, as the standard writes it.
    private static func decomposed(_ value: Int, _ half: Int) -> (high: Int, low: Int) {
        var low = value % (2 * half)
        if low > half { low -= 2 * half }
        return value - low == 8_380_416 ? (0, low - 1) : ((value - low) / (2 * half), low)
    }

    @Test("Rounding by multiplication is rounding by division", arguments: MLDSARounding.allCases)
    func rounding(_ rounding: MLDSARounding) {
        let half = rounding == .of88 ? 95_232 : 261_888
        // Every turn of the low bits, with its neighbours, and a sample of all the rest.
        let turns = stride(from: 0, through: 8_380_416, by: half)
            .flatMap { ($0 - 130)...($0 + 130) }
        let sample = stride(from: 0, to: 8_380_417, by: 97)
        for value in turns + Array(sample) where 0..<8_380_417 ~= value {
            let expected = Self.decomposed(value, half)
            let high = rounding.highBits(UInt32(value))
            #expect(Int(high) == expected.high)
            #expect(rounding.isAbove(UInt32(value), high) == (expected.low > 0))
        }
    }

    @Test("A key of another length is none, and all zero or all one is a key like any")
    func keys() {
        #expect(MLDSAPublicKey([], .mlDSA44) == nil)
        #expect(MLDSAPublicKey([UInt8](repeating: 0, count: 1311), .mlDSA44) == nil)
        for byte in [0, 0xFF] as [UInt8] {
            for set in MLDSAParameterSet.allCases {
                let length = [1312, 1952, 2592][MLDSAParameterSet.allCases.firstIndex(of: set) ?? 0]
                let signatureLength =
                    [2420, 3309, 4627][MLDSAParameterSet.allCases.firstIndex(of: set) ?? 0]
                let key = MLDSAPublicKey([UInt8](repeating: byte, count: length), set)
                let signature = [UInt8](repeating: byte, count: signatureLength)
                #expect(key?.isValid(signature: signature[...], over: [1]) == false)
            }
        }
    }
}
