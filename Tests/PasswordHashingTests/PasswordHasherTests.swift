// SPDX-License-Identifier: Apache-2.0
import PasswordHashing
import Primitives
import Support
import Testing

@Suite("The password hasher")
struct PasswordHasherTests {
    private func password(_ text: String) throws -> Password { try #require(Password(text)) }

    @Test("A password is right against its own hash and wrong against another's")
    func verifies() async throws {
        let hasher = try Fixture.hasher()
        let stored = try await hasher.hash(try password("staple battery"))
        #expect(try await hasher.verify(try password("staple battery"), against: stored))
        #expect(try await hasher.verify(try password("staple batterx"), against: stored) == false)
    }

    @Test("Two hashes of one password differ, for their salts do")
    func salts() async throws {
        let hasher = try Fixture.hasher()
        let first = try await hasher.hash(try password("staple battery"))
        let second = try await hasher.hash(try password("staple battery"))
        #expect(first != second)
    }

    @Test("Composed and decomposed characters are one password")
    func normalises() async throws {
        let hasher = try Fixture.hasher()
        let stored = try await hasher.hash(try password("m\u{FC}nchen liegt schief"))
        let typed = try password("mu\u{308}nchen liegt schief")
        #expect(try await hasher.verify(typed, against: stored))
    }

    @Test("A stored text that is no hash is a failure, not a wrong password")
    func malformedStoredHash() async throws {
        let hasher = try Fixture.hasher()
        let password = try password("staple battery")
        await #expect(throws: PasswordHashingError.malformedHash) {
            try await hasher.verify(password, against: "plain text")
        }
        await #expect(throws: PasswordHashingError.unreasonableParameters) {
            try await hasher.verify(
                password, against: PasswordHashTests.good.replacing("19456", with: "4194304"))
        }
    }

    @Test("Checking an unknown person computes one hash, as for a known one")
    func verifyNothing() async throws {
        let hasher = try Fixture.hasher()
        try await hasher.verifyNothing(try password("staple battery"))
        let stopped = HashingPool(threads: 1)
        stopped.stop()
        let idle = try Fixture.hasher(pool: stopped)
        let password = try password("staple battery")
        // It truly goes through the pool.
        await #expect(throws: PasswordHashingError.stopped) {
            try await idle.verifyNothing(password)
        }
    }

    @Test("A hash with other costs, or none at all, wants to be replaced")
    func needsRehash() async throws {
        let cheap = try Fixture.hasher()
        let dear = try Fixture.hasher(Argon2Parameters(memory: 128, iterations: 1, lanes: 1))
        let stored = try await cheap.hash(try password("staple battery"))
        #expect(cheap.needsRehash(stored) == false)
        #expect(dear.needsRehash(stored))
        #expect(cheap.needsRehash("plain text"))
    }

    @Test("Costs out of bounds are refused at start-up")
    func refusesParameters() {
        #expect(throws: PasswordHashingError.unreasonableParameters) {
            try Fixture.hasher(Argon2Parameters(memory: 4, iterations: 1, lanes: 1))
        }
    }

    @Test("An empty or an overlong password is none", arguments: [0, 1025, 4000])
    func refusesLengths(length: Int) {
        #expect(Password(String(repeating: "x", count: length)) == nil)
    }

    @Test("1024 bytes are a password, and it is never printed")
    func greatestLength() throws {
        let long = try password(String(repeating: "x", count: 1024))
        #expect("\(long)" == "[redacted]")
    }
}
