// SPDX-License-Identifier: Apache-2.0
import Crypto
import MasterKeyFormat
import PKCS11
import PasswordHashing
import Primitives
import Support
import Testing

/// The parser of the line of a sealed master key.
@Suite struct SealedMasterKeyParserTests {
    private static let head = "gatehouse-sealed-master-key-1."
    private static let key = SymmetricKey(data: [UInt8](repeating: 9, count: 32))
    private static let master = Secret([UInt8](repeating: 5, count: 32))
    /// The smallest cost, and a salt.
    private static let parameters: [UInt8] =
        [0, 0, 0, 8, 1, 1] + [UInt8](repeating: 7, count: 16)
    /// Nonce, a key of 32 bytes, and a tag.
    private static let box = [UInt8](repeating: 0, count: 60)

    private func sealed(
        _ parameters: SealedMasterKey.Parameters? = nil
    ) throws -> SealedMasterKey {
        let cost = Argon2Parameters(memory: 8, iterations: 1, lanes: 1)
        let salt = [UInt8](repeating: 7, count: 16)
        return try .seal(
            Self.master, with: Self.key, parameters ?? .passphrase(cost, salt: salt),
            random: SeededRandom(seed: 1))
    }

    private func refusal(_ line: [UInt8]) -> SealedMasterKey.ParseError? {
        do throws(SealedMasterKey.ParseError) {
            _ = try SealedMasterKey(line: line)
            return nil
        } catch { return error }
    }

    private func refusal(_ head: String, _ bytes: [UInt8]) -> SealedMasterKey.ParseError? {
        refusal(Array(head.utf8) + Base64URL.encodeBytes(bytes))
    }

    /// Whether the line is refused, or is that of a key that does not open.
    private func isUseless(_ line: [UInt8]) -> Bool {
        (try? SealedMasterKey(line: line))?.open(with: Self.key) == nil
    }

    @Test("A line that is parsed is written again as it was, and opens")
    func roundTrip() throws {
        let name = [UInt8](repeating: 1, count: TokenSealedKey.size)
        let token = try #require(TokenSealedKey(name))
        for sealed in [try sealed(), try sealed(.token(token))] {
            let read = try SealedMasterKey(line: sealed.line)
            #expect(read == sealed && read.line == sealed.line)
            #expect(read.open(with: Self.key) == Self.master)
            #expect(SealedMasterKey.isSealed(sealed.line))
        }
    }

    @Test("Attack 99: a truncated line is refused as damaged or does not open, wherever it ends")
    func truncated() throws {
        let line = try sealed().line
        for length in 0..<line.count {
            let part = Array(line.prefix(length))
            #expect(isUseless(part), "\(length)")
            // Not as the line of a later version, which would send a person to an update.
            #expect(refusal(part) != .newerVersion, "\(length)")
        }
    }

    @Test("Attack 99: a line with more at its end is refused, or does not open")
    func trailing() throws {
        let line = try sealed().line
        for more in ["A", "AA", "AAAA", "=", "==", "\n", " ", ".", "\0"] {
            #expect(isUseless(line + Array(more.utf8)), "\(more)")
        }
        #expect(refusal(line + line) == .damaged)
        #expect(refusal(line + [0x0A] + line) == .damaged)
        #expect(refusal([0x20] + line) == .damaged)
    }

    @Test("Attack 99: a line that is too long is refused before it is decoded")
    func long() throws {
        let line = try sealed().line
        #expect(refusal(line + [UInt8](repeating: 0x41, count: 2049 - line.count)) == .damaged)
        #expect(refusal([UInt8](repeating: 0x41, count: 1 << 20)) == .damaged)
    }

    @Test(
        "Attack 99: a cost of Argon2id beyond its limits is refused, and nothing is computed",
        arguments: [
            [0xFF, 0xFF, 0xFF, 0xFF, 1, 1], [0, 4, 0, 1, 1, 1], [0, 4, 0, 0, 32, 1],
            [0, 0, 0, 8, 255, 1], [0, 0, 0, 8, 0, 1], [0, 0, 0, 8, 1, 0], [0, 0, 0, 7, 1, 1],
            [0, 0, 1, 0, 1, 17], [0, 0, 0, 0, 1, 1],
        ] as [[UInt8]])
    func cost(_ cost: [UInt8]) {
        let bytes = [1] + cost + [UInt8](repeating: 7, count: 16) + Self.box
        #expect(refusal(Self.head, bytes) == .damaged)
    }

    @Test("A line of a later version is refused as such, so that a person updates the program")
    func version() {
        for head in ["gatehouse-sealed-master-key-2.", "gatehouse-sealed-master-key-10."] {
            #expect(refusal(head, [1] + Self.parameters + Self.box) == .newerVersion)
            #expect(refusal(head, []) == .newerVersion)
        }
        for head in [
            "gatehouse-sealed-master-key-", "gatehouse-sealed-master-key-.",
            "gatehouse-sealed-master-key-2", "gatehouse-sealed-master-key-x.",
            "gatehouse-sealed-master-key-99999.", "Gatehouse-sealed-master-key-1.",
        ] {
            #expect(refusal(Array(head.utf8)) == .damaged, "\(head)")
        }
    }

    @Test("An unknown kind, and a key of another size, are refused")
    func kinds() {
        for kind in [UInt8(0), 2, 3, 255] {
            #expect(refusal(Self.head, [kind] + Self.parameters + Self.box) == .damaged)
        }
        for size in [0, 28, 59, 1053, 5000] {
            let box = [UInt8](repeating: 0, count: size)
            #expect(refusal(Self.head, [1] + Self.parameters + box) == .damaged, "\(size)")
        }
        for size in [60, 1052] {
            let box = [UInt8](repeating: 0, count: size)
            #expect(refusal(Self.head, [1] + Self.parameters + box) == nil, "\(size)")
        }
        #expect(refusal(Self.head, []) == .damaged)
    }

    @Test(
        "Text of another format is refused",
        arguments: [
            "", "{}", "{\"version\":1}", "gatehouse-sealed-master-key-1.{\"kind\":1,\"kind\":1}",
            "gatehouse-sealed-master-key-1.AQ==", "gatehouse-sealed-master-key-1.A+/B",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "\u{FEFF}gatehouse-sealed-master-key-1.",
        ])
    func others(_ text: String) {
        #expect(refusal(Array(text.utf8)) == .damaged)
    }

    @Test("Attack 99: cost, salt, nonce and ciphertext are authenticated")
    func changed() throws {
        let bytes = try #require(
            Base64URL.decode(bytes: try sealed().line.dropFirst(Self.head.utf8.count)))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(isUseless(Array(Self.head.utf8) + Base64URL.encodeBytes(other)), "\(index)")
        }
    }
}
