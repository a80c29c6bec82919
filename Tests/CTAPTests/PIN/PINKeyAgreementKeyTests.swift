// SPDX-License-Identifier: Apache-2.0
import CBOR
import CTAP
import Support
import Testing

@Suite struct PINKeyAgreementKeyTests {
    private let good = PINKeyAgreement(random: SeededRandom(seed: 9)).publicKey.cose

    private func replacing(_ key: Int64, _ value: CBORValue?) -> CBORValue {
        let entries = good.entries ?? []
        return .map(
            entries.compactMap { entry in
                guard entry.key == .integer(key) else { return entry }
                return value.map { CBOREntry(entry.key, $0) }
            })
    }

    @Test("A key is read back as it was written")
    func roundTrip() throws {
        #expect(try PINKeyAgreementKey(good).cose == good)
    }

    @Test("Attack 37: a key agreement point off the curve is refused")
    func offCurve() {
        let y = good[-3]?.byteString.map(Array.init) ?? []
        for index in y.indices {
            var wrong = y
            wrong[index] ^= 0x10
            let key = replacing(-3, .byteString(wrong))
            #expect(throws: PINProtocolError.invalidPublicKey) { try PINKeyAgreementKey(key) }
        }
    }

    @Test("Attack 37: zeros, which represent infinity, are refused")
    func infinity() {
        let zeros = CBORValue.byteString([UInt8](repeating: 0, count: 32))
        let key = CBORValue.map([
            CBOREntry(.integer(1), .integer(2)), CBOREntry(.integer(3), .integer(-25)),
            CBOREntry(.integer(-1), .integer(1)), CBOREntry(.integer(-2), zeros),
            CBOREntry(.integer(-3), zeros),
        ])
        #expect(throws: PINProtocolError.invalidPublicKey) { try PINKeyAgreementKey(key) }
    }

    @Test("Another key type, algorithm, curve or length is refused")
    func shape() {
        let wrong: [CBORValue] = [
            replacing(1, .integer(1)), replacing(3, .integer(-7)), replacing(-1, .integer(2)),
            replacing(-1, .negative(.max)), replacing(-2, .byteString([1, 2, 3])),
            replacing(-3, .bool(true)), replacing(3, nil), replacing(-2, nil), .map([]), .null,
            .map((good.entries ?? []) + [CBOREntry(.integer(2), .byteString([1]))]),
        ]
        for key in wrong {
            #expect(throws: PINProtocolError.invalidPublicKey) { try PINKeyAgreementKey(key) }
        }
    }
}
