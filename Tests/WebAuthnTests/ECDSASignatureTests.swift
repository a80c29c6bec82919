// SPDX-License-Identifier: Apache-2.0
import Crypto
import Testing
import WebAuthn

/// ECDSA signatures that are not the one DER spelling of two sane numbers (attack 18).
@Suite struct ECDSASignatureTests {
    /// The signature with `r` and `s` taken apart, to be spelled in other ways.
    private static func parts() throws -> (key: COSEPublicKey, r: [UInt8], s: [UInt8]) {
        let passkey = RegistrationCeremony().passkey
        let key = try COSEPublicKey(cbor: passkey.coseKey[...])
        // Drawn again until both numbers are positive 32-byte integers without a leading zero.
        for _ in 0..<200 {
            let der = try passkey.sign(authenticatorData: [1], clientData: [2])
            let raw = Array(
                try P256.Signing.ECDSASignature(derRepresentation: der).rawRepresentation)
            let (r, s) = (Array(raw.prefix(32)), Array(raw.suffix(32)))
            if 1..<0x80 ~= r[0], 1..<0x80 ~= s[0] { return (key, r, s) }
        }
        throw DrawnTooOften()
    }

    private struct DrawnTooOften: Error {}

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, UInt8(content.count)] + content
    }

    private static func sequence(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        element(0x30, element(0x02, r) + element(0x02, s))
    }

    private static func isValid(_ key: COSEPublicKey, _ signature: [UInt8]) -> Bool {
        key.isValid(
            signature: signature[...], over: [1], Array(SHA256.hash(data: [2] as [UInt8])))
    }

    @Test("The one spelling is valid")
    func valid() throws {
        let (key, r, s) = try Self.parts()
        #expect(Self.isValid(key, Self.sequence(r, s)))
    }

    @Test("Every other spelling of the same numbers is invalid")
    func otherSpellings() throws {
        let (key, r, s) = try Self.parts()
        let good = Self.sequence(r, s)
        let body = Array(good.dropFirst(2))
        let spellings: [(String, [UInt8])] = [
            ("empty", []), ("raw r and s", r + s),
            ("r with a leading zero", Self.sequence([0] + r, s)),
            ("s with a leading zero", Self.sequence(r, [0] + s)),
            ("long length", [0x30, 0x81, UInt8(body.count)] + body),
            ("indefinite length", [0x30, 0x80] + body + [0, 0]),
            ("a byte behind", good + [0]),
            ("a byte behind inside", Self.element(0x30, body + [0])),
            ("a third number", Self.element(0x30, body + [2, 1, 1])),
            ("a set", Self.element(0x31, body)),
            ("bit strings", Self.element(0x30, Self.element(3, r) + Self.element(3, s))),
            ("r alone", Self.element(0x30, Self.element(2, r))),
            ("cut short", Array(good.dropLast())),
            ("swapped", Self.sequence(s, r)),
            ("r negative", Self.sequence([r[0] | 0x80] + r.dropFirst(), s)),
        ]
        for (name, signature) in spellings { #expect(!Self.isValid(key, signature), "\(name)") }
    }

    @Test("Zero, the group order and numbers beyond it are invalid (CVE-2022-21449)")
    func psychic() throws {
        let (key, r, s) = try Self.parts()
        let order = hex("00ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let beyond = [0x01] + [UInt8](repeating: 0, count: 32)
        for (first, second) in [
            ([0], [0]), (r, [0]), ([0], s), (order, s), (r, order), (order, order), ([], []),
            (beyond, s), (r, beyond),
        ] as [([UInt8], [UInt8])] {
            #expect(!Self.isValid(key, Self.sequence(first, second)))
        }
    }
}
