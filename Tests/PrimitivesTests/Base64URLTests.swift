// SPDX-License-Identifier: Apache-2.0
import Primitives
import Support
import Testing

@Suite("Base64url")
struct Base64URLTests {
    @Test("The vectors of RFC 4648 section 10, without padding")
    func vectors() {
        let pairs = [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ]
        for (plain, letters) in pairs {
            #expect(Base64URL.encode(Array(plain.utf8)) == letters)
            #expect(Base64URL.decode(letters) == Array(plain.utf8))
        }
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    }

    @Test(
        "Whatever is not canonical is refused",
        arguments: [
            "=", "Zg==", "Zg=", "Zm8=", "A", "AAAAA", "Zh", "Zm9", "+_8", "-/8", " Zg", "Zg ",
            "Z g",
            "Zg\n", "Zg\0", "Zé", "ＡＡ", "Zm.v",
        ])
    func refuses(_ letters: String) { #expect(Base64URL.decode(letters) == nil) }

    @Test("Any bytes survive, from contiguous storage and from any other")
    func roundTrip() {
        let random = SeededRandom(seed: 5)
        for count in 0..<200 {
            let bytes = random.bytes(count)
            let letters = Base64URL.encodeBytes(bytes)
            #expect(Base64URL.encodeBytes(bytes.lazy.map { $0 }) == letters)
            #expect(Base64URL.decode(bytes: letters) == bytes)
            #expect(Base64URL.decode(bytes: letters.lazy.map { $0 }) == bytes)
        }
    }

    @Test(
        "Every combination of four characters either decodes to bytes that encode to it, or is refused"
    )
    func oneSpelling() {
        let random = SeededRandom(seed: 6)
        for _ in 0..<20_000 {
            let letters = random.bytes(Int(random.next() % 7))
            guard let bytes = Base64URL.decode(bytes: letters) else { continue }
            #expect(Base64URL.encodeBytes(bytes) == letters)
        }
    }
}
