// SPDX-License-Identifier: Apache-2.0
import CBOR
import Support
import Testing

@Suite struct MutationTests {
    @Test("Whatever bytes are decoded, their canonical form decodes to the same again")
    func mutations() throws {
        let random = SeededRandom(seed: 8949)
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = hex("a3 01 82 f5 fb 3ff199999999999a 61 61 9f 42 0102 ff 20 c1 1a 514b67b0")
            for _ in 0...Int(random.next() % 3) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 0xFF)
            }
            guard let value = try? CBORValue.decode(bytes, profile: .rfc8949) else { continue }
            accepted += 1
            let canonical = value.encoded()
            let again = try CBORValue.decode(canonical, profile: .rfc8949)
            #expect(again.encoded() == canonical)
            #expect(!value.diagnostic.isEmpty)
        }
        #expect(accepted > 1000)
    }

    @Test("Whatever ctap2 accepts is canonical: it encodes to itself")
    func canonical() throws {
        let random = SeededRandom(seed: 2)
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = hex("a5 01 02 03 26 20 01 21 44 01020304 22 44 05060708")
            bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 0xFF)
            guard let value = try? CBORValue.decode(bytes, profile: .ctap2) else { continue }
            accepted += 1
            // A float keeps its width under CTAP2 and loses it here.
            if case .map(let entries) = value, entries.contains(where: { isFloat($0) }) { continue }
            #expect(value.encoded(ordering: .ctap2) == bytes)
        }
        #expect(accepted > 1000)
    }

    private func isFloat(_ entry: CBOREntry) -> Bool {
        if case .float = entry.key { return true }
        if case .float = entry.value { return true }
        return false
    }
}
