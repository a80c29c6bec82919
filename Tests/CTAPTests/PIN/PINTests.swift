// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Primitives
import Testing

@Suite struct PINTests {
    @Test("A PIN is padded to 64 bytes and comes back")
    func padding() throws {
        let pin = try #require(ClientPIN("1234"))
        #expect(
            pin.padded.reveal() == Array("1234".utf8) + [UInt8](repeating: 0, count: 60))
        #expect(ClientPIN(padded: pin.padded)?.hash == pin.hash)
        #expect(pin.hash.reveal() == Array(SHA256.hash(data: Array("1234".utf8)).prefix(16)))
    }

    @Test("Attack 37: composed and decomposed characters make one PIN")
    func normalization() throws {
        let composed = try #require(ClientPIN("caf\u{E9}s"))
        let decomposed = try #require(ClientPIN("cafe\u{301}s"))
        #expect(composed.hash == decomposed.hash)
        #expect(decomposed.codePoints == 5)
    }

    @Test("Attack 37: 63 bytes are a PIN, 64 are not")
    func longest() {
        #expect(ClientPIN(String(repeating: "9", count: 63))?.codePoints == 63)
        #expect(ClientPIN(String(repeating: "9", count: 64)) == nil)
        #expect(ClientPIN(padded: Secret([UInt8](repeating: 57, count: 64))) == nil)
    }

    @Test("Length counts code points, not bytes", arguments: ["123", "ééé", "", "🔑🔑🔑"])
    func tooShort(_ text: String) { #expect(ClientPIN(text) == nil) }

    @Test("Padding with something behind the NUL, bad UTF-8 or a wrong length is refused")
    func badPadding() {
        var bytes = Array("1234".utf8) + [UInt8](repeating: 0, count: 60)
        bytes[63] = 1
        #expect(ClientPIN(padded: Secret(bytes)) == nil)
        let invalid = [0xFF, 0xFE, 0xFD, 0xFC] + [UInt8](repeating: 0, count: 60)
        #expect(ClientPIN(padded: Secret(invalid)) == nil)
        #expect(ClientPIN(padded: Secret([UInt8](repeating: 0, count: 64))) == nil)
        let short = Array("1234".utf8) + [UInt8](repeating: 0, count: 44)
        #expect(ClientPIN(padded: Secret(short)) == nil)
        #expect(ClientPIN("12\u{0}34") == nil)
    }
}
