// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@testable import Primitives

@Suite("Hexadecimal, percent-encoding and the text of UUIDs")
struct HexadecimalTests {
    @Test("Bytes are read back in both cases", arguments: 0..<64)
    func roundTrip(length: Int) {
        let bytes = SeededRandom(seed: UInt64(length)).bytes(length)
        let lower = Hexadecimal.encode(bytes)
        let upper = Hexadecimal.encode(bytes, .upper)
        #expect(lower.utf8.count == 2 * length)
        #expect(upper == lower.uppercased() && lower == upper.lowercased())
        #expect(Hexadecimal.decode(lower) == bytes)
        #expect(Hexadecimal.decode(upper) == bytes)
    }

    @Test("Exactly 22 bytes are digits")
    func digits() {
        let digits = (0...255).map(UInt8.init).filter { Hexadecimal.value($0) != nil }
        #expect(digits == Array("0123456789ABCDEFabcdef".utf8))
        #expect(digits.compactMap(Hexadecimal.value) == Array(0...15) + Array(10...15))
    }

    @Test(
        "What is not hexadecimal is refused",
        arguments: ["a", "abc", "0x12", "g0", "0g", " a", "+a", "-a", "１２", "a\u{0}"])
    func refusals(text: String) { #expect(Hexadecimal.decode(text) == nil) }

    @Test("Numbers have leading zeros up to the width")
    func numbers() {
        #expect(Hexadecimal.text(UInt8(5)) == "5")
        #expect(Hexadecimal.text(UInt8(5), width: 2, .upper) == "05")
        #expect(Hexadecimal.text(UInt16(0x9ABC), width: 4, .upper) == "9ABC")
        #expect(Hexadecimal.text(0x12345, width: 4) == "12345")
    }

    // MARK: Percent-encoding

    /// Any text, with characters that need an escape.
    private func text(_ random: SeededRandom) -> String {
        let scalars = (0..<Int(random.next() % 24)).compactMap { _ in
            Unicode.Scalar(UInt32(random.next() % (random.next() % 2 == 0 ? 0x80 : 0x11_0000)))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test("Texts are read back", arguments: 0..<200)
    func percentRoundTrip(seed: Int) {
        let text = text(SeededRandom(seed: UInt64(seed)))
        let encoded = PercentEncoding.encode(text)
        #expect(encoded.utf8.allSatisfy { $0 == UInt8(ascii: "%") || isUnreserved($0) })
        #expect(PercentEncoding.decode(Array(encoded.utf8)[...]) == text)
        let form = PercentEncoding.decode(form: Array(encoded.utf8)[...])
        #expect(form == (text.utf8.contains(0) ? nil : text))
    }

    private func isUnreserved(_ byte: UInt8) -> Bool {
        Character(UnicodeScalar(byte)).isASCII
            && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
                || "-._~".utf8.contains(byte))
    }

    /// Decoding as it was before: one loop over the bytes.
    private func decodeBefore(_ bytes: [UInt8]) -> String? {
        var output: [UInt8] = []
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+"): output.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = iterator.next(), let low = iterator.next(),
                    let value = Hexadecimal.decode(String(decoding: [high, low], as: UTF8.self))
                else { return nil }
                output += value
            default: output.append(byte)
            }
        }
        return output.contains(0) ? nil : String(validating: output, as: UTF8.self)
    }

    @Test("Any bytes of a form are decoded or refused as before", arguments: 0..<500)
    func anyBytes(seed: Int) {
        let random = SeededRandom(seed: UInt64(seed))
        let alphabet = Array("a%+0fFg".utf8) + [0, 0xC3, 0xA4, 0xFF]
        let bytes = random.bytes(Int(random.next() % 12)).map { alphabet[Int($0) % alphabet.count] }
        let inside = [UInt8(ascii: "%")] + bytes + [UInt8(ascii: "0"), UInt8(ascii: "0")]
        #expect(
            PercentEncoding.decode(form: inside[1..<(bytes.count + 1)]) == decodeBefore(bytes))
    }

    @Test("A plus sign is a space in forms only")
    func plus() {
        let text = Array("a+b%2Bc".utf8)[...]
        #expect(PercentEncoding.decode(text) == "a+b+c")
        #expect(PercentEncoding.decode(form: text) == "a b+c")
    }

    @Test(
        "An incomplete escape and invalid UTF-8 are refused",
        arguments: ["%", "%4", "a%", "%zz", "%-1", "%+1", "%ff", "%c3", "%ed%a0%80", "%c0%80"])
    func percentRefusals(text: String) {
        #expect(PercentEncoding.decode(Array(text.utf8)[...]) == nil)
        #expect(PercentEncoding.decode(form: Array(text.utf8)[...]) == nil)
    }

    // MARK: UUIDs

    @Test("UUIDs are read back in both cases", arguments: 0..<32)
    func uuids(seed: Int) {
        let bytes = SeededRandom(seed: UInt64(seed)).bytes(16)
        let text = UUIDText.encode(bytes)
        #expect(text.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(UUIDText.decode(text) == bytes)
        #expect(UUIDText.encode(bytes, .upper) == text.uppercased())
        #expect(UUIDText.decode(text.uppercased()) == bytes)
        let marked = UUIDText.encode(UUIDText.marked(bytes, version: 4))
        #expect(marked.dropFirst(14).first == "4")
        #expect("89ab".contains(marked[marked.index(marked.startIndex, offsetBy: 19)]))
    }

    @Test(
        "Other forms of a UUID are refused",
        arguments: [
            "", "01890a5dac96774bbcceb302099a8057", "01890a5d-ac96-774b-bcce-b302099a805",
            "01890a5d-ac96-774b-bcce-b302099a805g", "01890a5d-ac96-774b-bcce-b302099a80577",
            "01890a5d-ac96-774bb-cce-b302099a8057", "{1890a5d-ac96-774b-bcce-b302099a805}",
            "01890a5d-ac96-774b-bcce-b30209-a8057", "01890a5d-ac96-774b-bcce-b302099a80５",
        ])
    func uuidRefusals(text: String) { #expect(UUIDText.decode(text) == nil) }
}
