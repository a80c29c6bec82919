// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
import Primitives
import Support
import Testing

/// Hashes made by the reference command, `argon2 SALT -id -e` of Debian's package `argon2`.
@Suite("Argon2id against the reference implementation")
struct Argon2Tests {
    struct Vector: Sendable {
        let password: String
        let phc: String
    }

    static let vectors = [
        Vector(
            password: "correct horse",
            phc: "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA"
                + "$k9ohroejZy1PN5E1SbHNPug6vB8eQAahb5SOAp6iGF4"),
        Vector(
            password: "correct horse",
            phc: "$argon2id$v=19$m=64,t=3,p=4$c29tZXNhbHRzb21lc2FsdA"
                + "$casdHB9SZYRHv54P9j2P6KlbKyLdjQcm"),
        Vector(
            password: "p\u{E4}ssword",
            phc: "$argon2id$v=19$m=32,t=1,p=2$c2FsdHNhbHQ$G+Q2MZSBhNvLd21gigIJ/A"),
    ]

    @Test("The reference implementation's hash is accepted", arguments: vectors)
    func accepts(vector: Vector) async throws {
        let hasher = try Fixture.hasher()
        let password = try #require(Password(vector.password))
        #expect(try await hasher.verify(password, against: vector.phc))
    }

    @Test("Another password is refused", arguments: vectors)
    func refusesAnotherPassword(vector: Vector) async throws {
        let hasher = try Fixture.hasher()
        let password = try #require(Password(vector.password + "x"))
        #expect(try await hasher.verify(password, against: vector.phc) == false)
    }

    @Test("Memory of other sizes, used again or given back between, changes no hash")
    func memory() async throws {
        let hasher = try Fixture.hasher()
        let password = try #require(Password("correct horse"))
        for _ in 0..<3 {
            for vector in Self.vectors.prefix(2) {
                #expect(try await hasher.verify(password, against: vector.phc))
                #expect(try await hasher.verify(password, against: vector.phc))
            }
            HashingPool.releaseUnusedMemory()
        }
    }

    @Test("A hash with one flipped character is refused", arguments: vectors)
    func refusesAFlippedHash(vector: Vector) async throws {
        let hasher = try Fixture.hasher()
        var letters = Array(vector.phc)
        let position = letters.count - 5
        letters[position] = letters[position] == "A" ? "B" : "A"
        let password = try #require(Password(vector.password))
        #expect(try await hasher.verify(password, against: String(letters)) == false)
    }
}

enum Fixture {
    /// Cheap enough for tests.
    static let cheap = Argon2Parameters(memory: 64, iterations: 1, lanes: 1)

    static func hasher(
        _ parameters: Argon2Parameters = cheap, pool: HashingPool = HashingPool(threads: 2)
    ) throws -> PasswordHasher {
        try PasswordHasher(parameters: parameters, pool: pool, random: SeededRandom())
    }
}
