// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Testing

/// What is left in memory after a secret has gone. The kernel is asked, through
/// `/proc/self/mem`: a pointer to memory that was given back must not be read.
@Suite struct SecretMemoryTests {
    private static let length = 3000

    /// The bytes at an address of this process.
    private func memory(at address: UInt, count: Int) throws -> [UInt8] {
        let file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        try #require(pread(file, &bytes, count, off_t(address)) == count)
        return bytes
    }

    /// How many bytes are still the pattern's.
    private func rest(at address: UInt) throws -> Int {
        try memory(at: address, count: Self.length).count { $0 == 0xA5 }
    }

    @Test("The memory of a secret is overwritten when its last copy goes, and not before")
    func lastCopy() throws {
        var first: Secret? = Secret([UInt8](repeating: 0xA5, count: Self.length))
        var second = first
        let address = try #require(first).withBytes { UInt(bitPattern: $0.baseAddress) }
        first = nil
        #expect(try rest(at: address) == Self.length)
        withExtendedLifetime(second) {}
        second = nil
        #expect(try rest(at: address) < 64)
    }

    @Test("A copy that was revealed, and the array a secret was made of, keep their bytes")
    func copies() {
        let source = [UInt8](repeating: 0xA5, count: Self.length)
        let revealed = Secret(source).reveal()
        #expect(revealed == source)
        #expect(source.count { $0 == 0xA5 } == Self.length)
    }

    @Test("What a secret takes over is overwritten where it was")
    func takenOver() {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = Secret(wiping: &bytes)
        #expect(bytes == [0, 0, 0])
        #expect(secret.reveal() == [1, 2, 3])
        let longer: [UInt8] = [4, 5, 6]
        var slice = longer.dropFirst()
        #expect(Secret(wiping: &slice).reveal() == [5, 6])
        #expect(Array(slice) == [0, 0])
        var nothing: [UInt8] = []
        #expect(Secret(wiping: &nothing).isEmpty)
    }

    @Test("An error of the borrower comes through")
    func borrowing() {
        struct Refusal: Error, Equatable {}
        #expect(throws: Refusal()) {
            try Secret("x").withBytes { (_) throws(Refusal) in throw Refusal() }
        }
    }
}
