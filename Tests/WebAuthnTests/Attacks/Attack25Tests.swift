// SPDX-License-Identifier: Apache-2.0
import CBOR
import Testing
import WebAuthn

@Suite("Attack 25: CBOR bombs and second spellings")
struct Attack25Tests {
    private static func refusal(_ bytes: [UInt8]) async -> WebAuthnRefusal? {
        var ceremony = RegistrationCeremony()
        ceremony.attestationObject = bytes
        return await ceremony.verify().refusal
    }

    static let bombs: [(String, [UInt8])] = [
        ("an array of 2^64 - 1", hex("9b ffffffffffffffff")),
        ("a map of 2^64 - 1", hex("bb ffffffffffffffff")),
        ("a string of 2^64 - 1", hex("5b ffffffffffffffff")),
        ("a text of 2^63", hex("7b 8000000000000000")),
        ("depth ten thousand", [UInt8](repeating: 0x81, count: 10_000)),
        ("depth of indefinite arrays", [UInt8](repeating: 0x9F, count: 10_000)),
        ("tags without end", [UInt8](repeating: 0xC1, count: 10_000)),
        ("an indefinite string", hex("a1 63 666d74 7f 64 6e6f6e65 ff")),
        ("an indefinite map", hex("bf 63 666d74 64 6e6f6e65 ff")),
        ("a bignum", hex("c2 49 010000000000000000")),
        ("a negative bignum", hex("c3 49 010000000000000000")),
        ("a million nulls", [0x9A, 0, 0x0F, 0x42, 0x40] + [UInt8](repeating: 0xF6, count: 60_000)),
        (
            "a duplicate key",
            hex("a3 63 666d74 64 6e6f6e65 63 666d74 64 6e6f6e65 67 61747453746d74 a0")
        ),
        ("keys out of order", hex("a2 67 61747453746d74 a0 63 666d74 64 6e6f6e65")),
        ("a number as key", hex("a1 01 02")),
        ("not the shortest form", hex("b8 01 63 666d74 64 6e6f6e65")),
        ("text that is no UTF-8", hex("a1 63 666d74 62 c3 28")),
        ("trailing bytes", hex("a0 00")),
        ("-2^64", hex("3b ffffffffffffffff")),
        ("a reserved length", hex("1c")),
        ("a break alone", hex("ff")),
    ]

    @Test("Attack 25: as an attestation object", arguments: bombs)
    func attestationObject(_ name: String, _ bytes: [UInt8]) async {
        #expect(
            await Self.refusal(bytes)
                == WebAuthnTests.refusal(.registration, 13, .attestationObjectMalformed),
            "\(name)")
    }

    @Test("Attack 25: as a credential key", arguments: bombs)
    func credentialKey(_ name: String, _ bytes: [UInt8]) async {
        var ceremony = RegistrationCeremony()
        ceremony.authenticatorData = ceremony.passkey.attestedAuthenticatorData(coseKey: bytes)
        let refused = await ceremony.verify().refusal
        #expect(
            refused == WebAuthnTests.refusal(.registration, 13, .authenticatorDataMalformed)
                || refused == WebAuthnTests.refusal(.registration, 20, .publicKeyInvalid),
            "\(name)")
        #expect(throws: COSEKeyError.malformed) { try COSEPublicKey(cbor: bytes[...]) }
    }

    @Test("Attack 25: as extension outputs", arguments: bombs)
    func extensions(_ name: String, _ bytes: [UInt8]) async {
        var ceremony = RegistrationCeremony()
        ceremony.authenticatorData = ceremony.signedData.replacing(32, with: 0xDD) + bytes
        #expect(
            await ceremony.verify().refusal
                == WebAuthnTests.refusal(.registration, 13, .authenticatorDataMalformed),
            "\(name)")
    }

    @Test("Attack 25: nesting stops at what a compound statement needs")
    func depth() async {
        // Six levels are read, seven are not; both are no attestation object.
        let six = CBORProfile.ctap2.maximumDepth + 2
        for depth in [six, six + 1] {
            let bytes = [UInt8](repeating: 0x81, count: depth) + [0x00]
            #expect(
                await Self.refusal(bytes)
                    == WebAuthnTests.refusal(.registration, 13, .attestationObjectMalformed))
        }
        #expect(throws: AttestationObjectError.member("the object")) {
            try AttestationObject(cbor: [UInt8](repeating: 0x81, count: six) + [0x00])
        }
    }
}
