// SPDX-License-Identifier: Apache-2.0
import Primitives
import Testing

@Suite("Secrets")
struct SecretTests {
    @Test("No way of printing shows the bytes")
    func redaction() {
        let secret = Secret("open sesame")
        var dumped = ""
        dump(secret, to: &dumped)
        dump(["nested": [secret]], to: &dumped)
        let texts = [
            "\(secret)", String(describing: secret), String(reflecting: secret),
            "\(Optional(secret) as Any)", "\([secret])", dumped,
        ]
        for text in texts {
            #expect(!text.contains("sesame"))
            #expect(!text.contains("111"))
        }
        #expect("\(secret)" == "[redacted]")
        #expect(secret.revealText() == "open sesame")
    }

    @Test("Equality is that of the bytes")
    func equality() {
        #expect(Secret("a") == Secret([0x61]))
        #expect(Secret("a") != Secret("b"))
        #expect(Secret("a") != Secret("aa"))
        #expect(Secret("").isEmpty)
    }
}

@Suite("Constant-time equality")
struct ConstantTimeTests {
    @Test("Every single flipped bit makes a difference")
    func bits() {
        let bytes: [UInt8] = [0, 1, 0x80, 0xFF]
        #expect(ConstantTime.equal(bytes, bytes))
        #expect(ConstantTime.equal([UInt8](), []))
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << bit
                #expect(!ConstantTime.equal(bytes, other))
            }
        }
    }

    @Test("Different lengths are different, also when one begins with the other")
    func lengths() {
        #expect(!ConstantTime.equal([1, 2], [1, 2, 3] as [UInt8]))
        #expect(!ConstantTime.equal([], [0] as [UInt8]))
    }
}
