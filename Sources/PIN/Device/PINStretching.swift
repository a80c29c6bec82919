// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Dispatch

/// How a PIN becomes the pad of a secret: PBKDF2 with HMAC-SHA-256 (RFC 8018 section 5.2).
///
/// It exists on every system that an app runs on. Its cost counts only if a thief has the opened
/// store and something to compare with (docs/protocols/pin.md, "What a thief can do").
package struct PINStretching: Sendable {
    /// Computes 32 bytes from digits, salt and number of rounds; `nil` if the library cannot.
    package typealias Derivation = @Sendable ([UInt8], [UInt8], UInt32) -> [UInt8]?

    /// The numbers of rounds that are accepted of a stored secret.
    package static let acceptedRounds: ClosedRange<UInt32> = 210_000...10_000_000
    /// 600,000 rounds: the OWASP Password Storage Cheat Sheet's setting for HMAC-SHA-256.
    package static let standard = PINStretching(rounds: 600_000, derivation: pbkdf2)
    static let saltLength = 32

    /// The rounds of new secrets. Opening uses those that a secret was sealed with.
    let rounds: UInt32
    private let derivation: Derivation

    /// - Parameter derivation: Tests replace it, because it is slow by design.
    package init(
        rounds: UInt32, derivation: @escaping Derivation = PINStretching.pbkdf2
    ) {
        self.rounds = min(
            max(rounds, Self.acceptedRounds.lowerBound), Self.acceptedRounds.upperBound)
        self.derivation = derivation
    }

    package static let pbkdf2: Derivation = { digits, salt, rounds in
        let key = try? KDF.Insecure.PBKDF2.deriveKey(
            from: digits, salt: salt, using: .sha256, outputByteCount: PINSecret.length,
            rounds: Int(rounds))
        return key?.withUnsafeBytes { Array($0) }
    }

    /// Encrypts or decrypts: the exclusive or of `bytes` and the pad.
    func apply(
        _ digits: WipedBytes, salt: [UInt8], rounds: UInt32, to bytes: WipedBytes
    ) async throws(PINSealingError) -> WipedBytes {
        let derivation = derivation
        let result = await Self.computing {
            digits.withBytes { derivation($0, salt, rounds) }.map { WipedBytes($0) }
        }
        guard let pad = result else { throw .derivation }
        let combined = pad.withBytes { pad in
            bytes.withBytes { bytes in zip(bytes, pad).map { $0 ^ $1 } }
        }
        guard combined.count == PINSecret.length else { throw .damaged }
        return WipedBytes(combined)
    }

    /// Computes on a thread that may be busy for a while.
    static func computing<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(returning: body())
            }
        }
    }
}
