// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
import Support
import Testing

@Suite("A stored hash in PHC form")
struct PasswordHashTests {
    static let salt = "c29tZXNhbHRzb21lc2FsdA"
    static let tag = "k9ohroejZy1PN5E1SbHNPug6vB8eQAahb5SOAp6iGF4"
    static let good = "$argon2id$v=19$m=19456,t=2,p=1$\(salt)$\(tag)"

    @Test("A hash is written back exactly as it was read")
    func roundTrip() throws {
        let hash = try PasswordHash(phc: Self.good)
        #expect(hash.parameters == .standard)
        #expect(hash.salt == Array("somesaltsomesalt".utf8))
        #expect(hash.tag.count == 32)
        #expect(hash.phc == Self.good)
    }

    static let malformed: [String] = [
        "", "$", "$$$$$", "argon2id", " \(good)", "\(good) ", "\(good)$", "\(good)=",
        good.replacing("argon2id", with: "argon2i"),
        good.replacing("argon2id", with: "argon2d"),
        good.replacing("argon2id", with: "Argon2id"),
        good.replacing("v=19", with: "v=16"),
        good.replacing("$v=19", with: ""),
        good.replacing("m=19456,t=2,p=1", with: "t=2,m=19456,p=1"),
        good.replacing("m=19456,t=2,p=1", with: "m=19456,t=2"),
        good.replacing("m=19456,t=2,p=1", with: "m=19456,t=2,p=1,data=AA"),
        good.replacing("m=19456", with: "m=019456"),
        good.replacing("m=19456", with: "m=+19456"),
        good.replacing("m=19456", with: "m=-1"),
        good.replacing("m=19456", with: "m=0"),
        good.replacing("m=19456", with: "m="),
        good.replacing("m=19456", with: "m=19456x"),
        good.replacing("m=19456", with: "m=4294967296"),
        good.replacing("m=19456", with: "m=99999999999999999999"),
        good.replacing("m=19456", with: "m=\u{0661}"),
        good.replacing(salt, with: "c2FsdA"),
        good.replacing(salt, with: salt + "=="),
        good.replacing(salt, with: "c29tZXNhbHRzb21lc2Fsd-"),
        good.replacing(salt, with: "c29tZXNhbHRzb21lc2FsdB"),
        good.replacing(salt, with: ""),
        good.replacing(salt, with: String(repeating: "A", count: 88)),
        good.replacing(tag, with: "AAAA"),
        good.replacing(tag, with: ""),
        good + String(repeating: "A", count: 4096),
    ]

    @Test("Any other spelling is refused", arguments: malformed)
    func refusesMalformed(text: String) {
        #expect(throws: PasswordHashingError.malformedHash) { try PasswordHash(phc: text) }
    }

    static let unreasonable = [
        "m=4194304,t=1,p=1", "m=4294967295,t=1,p=1", "m=262145,t=1,p=1", "m=19456,t=33,p=1",
        "m=262144,t=9,p=1", "m=19456,t=2,p=17", "m=7,t=1,p=1", "m=64,t=1,p=9",
    ]

    @Test("A hash that asks for absurd work is refused before any work", arguments: unreasonable)
    func refusesUnreasonable(costs: String) {
        let text = Self.good.replacing("m=19456,t=2,p=1", with: costs)
        #expect(throws: PasswordHashingError.unreasonableParameters) {
            try PasswordHash(phc: text)
        }
    }

    @Test("No mutation of a hash makes the parser trap")
    func survivesMutation() {
        let random = SeededRandom(seed: 7)
        for _ in 0..<5000 {
            var bytes = Array(Self.good.utf8)
            switch random.next() % 3 {
            case 0: bytes[Int(random.next() % UInt64(bytes.count))] = random.bytes(1)[0]
            case 1: bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
            default:
                bytes.insert(
                    contentsOf: random.bytes(3), at: Int(random.next() % UInt64(bytes.count)))
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if let hash = try? PasswordHash(phc: text) { #expect(hash.phc == text) }
        }
    }
}
