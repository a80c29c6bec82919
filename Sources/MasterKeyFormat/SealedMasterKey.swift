// SPDX-License-Identifier: Apache-2.0
package import Crypto
package import PKCS11
package import PasswordHashing
package import Primitives

/// A master key that is sealed to a passphrase or to a key on a token (decision 0033).
///
/// It is one line: `gatehouse-sealed-master-key-1.`, and in base64url
///
///     kind (1) ‖ parameters ‖ nonce (12) ‖ AES-256-GCM(master key) ‖ tag (16)
///
/// The beginning of the line, the kind and the parameters are authenticated.
package struct SealedMasterKey: Sendable, Equatable {
    /// From what the key that seals it is derived.
    package enum Parameters: Sendable, Equatable {
        /// Kind 1: memory in KiB (4), passes (1) and lanes (1) of Argon2id, and the salt (16).
        case passphrase(Argon2Parameters, salt: [UInt8])
        /// Kind 2: ``TokenSealedKey``.
        case token(TokenSealedKey)
    }

    package enum ParseError: Error, Equatable {
        /// The line is of a later version of the format.
        case newerVersion
        /// Truncated, changed, or too long.
        case damaged
    }

    static let name = "gatehouse-sealed-master-key-"
    private static let version = "1"
    private static let head = Array("\(name)\(version).".utf8)
    private static let maximumBytes = 2048
    private static let saltSize = 16
    private static let costSize = 6
    /// Nonce and tag.
    private static let overhead = 28
    /// A key file of this version has 32 bytes; others may have more.
    static let keySizes = 32...1024

    package let parameters: Parameters
    /// Nonce, ciphertext and tag.
    private let box: [UInt8]

    // MARK: Text

    package static func isSealed(_ line: [UInt8]) -> Bool { line.starts(with: name.utf8) }

    package init(line: [UInt8]) throws(ParseError) {
        guard line.count <= Self.maximumBytes else { throw .damaged }
        guard line.starts(with: Self.head) else {
            throw Self.isOfNewerVersion(line) ? .newerVersion : .damaged
        }
        guard let bytes = Base64URL.decode(bytes: line.dropFirst(Self.head.count)),
            let kind = bytes.first, let size = Self.size(ofKind: kind),
            let parameters = Self.parameters(kind, Array(bytes.dropFirst().prefix(size)))
        else { throw .damaged }
        let box = Array(bytes.dropFirst(1 + size))
        guard Self.keySizes ~= box.count - Self.overhead else { throw .damaged }
        (self.parameters, self.box) = (parameters, box)
    }

    /// Whether the line has the number of another format, with its end: a truncated number may be
    /// the beginning of this one.
    private static func isOfNewerVersion(_ line: [UInt8]) -> Bool {
        guard isSealed(line) else { return false }
        let number = line.dropFirst(name.utf8.count).prefix { $0 != UInt8(ascii: ".") }
        return 1...4 ~= number.count && number.endIndex < line.endIndex
            && number.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    package var line: [UInt8] { Self.head + Base64URL.encodeBytes(parameters.encoded + box) }

    private static func size(ofKind kind: UInt8) -> Int? {
        switch kind {
        case 1: costSize + saltSize
        case 2: TokenSealedKey.size
        default: nil
        }
    }

    private static func parameters(_ kind: UInt8, _ bytes: [UInt8]) -> Parameters? {
        guard kind == 1 else { return TokenSealedKey(bytes).map { .token($0) } }
        guard bytes.count == costSize + saltSize else { return nil }
        let cost = Argon2Parameters(
            memory: bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) },
            iterations: UInt32(bytes[4]), lanes: UInt32(bytes[5]))
        guard cost.isReasonable else { return nil }
        return .passphrase(cost, salt: Array(bytes.dropFirst(costSize)))
    }

    // MARK: Sealing

    private init(parameters: Parameters, box: [UInt8]) {
        (self.parameters, self.box) = (parameters, box)
    }

    /// - Parameter key: what ``open(with:)`` needs, derived from `parameters`.
    package static func seal(
        _ master: Secret, with key: SymmetricKey, _ parameters: Parameters,
        random: any RandomSource
    ) throws -> SealedMasterKey {
        let sealed = try master.withBytes {
            try AES.GCM.seal(
                $0, using: key, nonce: AES.GCM.Nonce(data: random.bytes(12)),
                authenticating: head + parameters.encoded)
        }
        return SealedMasterKey(
            parameters: parameters,
            box: Array(sealed.nonce) + Array(sealed.ciphertext) + Array(sealed.tag))
    }

    /// Returns `nil` for another key, and if something was changed.
    package func open(with key: SymmetricKey) -> Secret? {
        guard let sealed = try? AES.GCM.SealedBox(combined: box),
            var master = try? AES.GCM.open(
                sealed, using: key, authenticating: Self.head + parameters.encoded)
        else { return nil }
        return Secret(wiping: &master)
    }
}

extension SealedMasterKey.Parameters {
    /// With the kind.
    fileprivate var encoded: [UInt8] {
        switch self {
        case .passphrase(let cost, let salt):
            let memory = withUnsafeBytes(of: cost.memory.bigEndian) { Array($0) }
            let others = [UInt8(clamping: cost.iterations), UInt8(clamping: cost.lanes)]
            return [1] + memory + others + salt
        case .token(let sealed): return [2] + sealed.bytes
        }
    }
}
