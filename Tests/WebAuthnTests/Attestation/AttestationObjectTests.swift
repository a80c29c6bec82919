// SPDX-License-Identifier: Apache-2.0
import CBOR
import Testing
import WebAuthn

/// Step 7.1.13: attestation objects and authenticator data that are not what they should be.
@Suite struct AttestationObjectTests {
    private static func object(_ entries: [(String, CBORValue)]) -> [UInt8] {
        CBORValue.map(entries.map { CBOREntry(.text($0), $1) }).encoded(ordering: .ctap2)
    }

    private static let data = CBORValue.byteString(
        RegistrationCeremony().passkey.attestedAuthenticatorData())

    static let malformed: [(String, [UInt8])] = [
        ("empty", []), ("an array", [0x80]), ("an empty map", [0xA0]),
        ("without fmt", object([("attStmt", .map([])), ("authData", data)])),
        (
            "fmt is bytes",
            object([("fmt", .byteString([1])), ("attStmt", .map([])), ("authData", data)])
        ),
        ("without attStmt", object([("fmt", .text("none")), ("authData", data)])),
        (
            "attStmt is an array",
            object([("fmt", .text("none")), ("attStmt", .array([])), ("authData", data)])
        ),
        ("without authData", object([("fmt", .text("none")), ("attStmt", .map([]))])),
        (
            "authData is text",
            object([("fmt", .text("none")), ("attStmt", .map([])), ("authData", .text(""))])
        ),
        (
            "a fourth member",
            object([
                ("fmt", .text("none")), ("attStmt", .map([])), ("authData", data), ("x", .null),
            ])
        ),
        (
            "trailing byte",
            object([("fmt", .text("none")), ("attStmt", .map([])), ("authData", data)]) + [0]
        ),
        ("a bomb", [UInt8](repeating: 0x81, count: 5000)),
        ("a promise of 2^64 items", [0x9B] + [UInt8](repeating: 0xFF, count: 8)),
    ]

    @Test("Step 13: what is no attestation object is refused (25)", arguments: malformed)
    func refused(_ name: String, _ bytes: [UInt8]) async {
        var ceremony = RegistrationCeremony()
        ceremony.attestationObject = bytes
        let refused = await ceremony.verify().refusal
        #expect(refused == refusal(.registration, 13, .attestationObjectMalformed))
    }

    /// Changes to good authenticator data of 37 + 18 + 32 + 77 bytes.
    static let spoilt: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
        ("empty", { _ in [] }),
        ("36 bytes", { Array($0.prefix(36)) }),
        ("AT set, nothing behind", { Array($0.prefix(37)) }),
        ("AT set, half an AAGUID", { Array($0.prefix(45)) }),
        ("AT set, no id length", { Array($0.prefix(53)) }),
        ("id longer than the data", { $0.replacing(53, with: 0xFF) }),
        ("id of 65535 bytes", { $0.replacing(53, with: 0xFF).replacing(54, with: 0xFF) }),
        ("AT clear, credential there", { $0.replacing(32, with: 0x1D) }),
        ("AT clear, no credential", { Array($0.prefix(37)).replacing(32, with: 0x1D) }),
        ("ED set, nothing behind", { $0.replacing(32, with: 0xDD) }),
        ("ED set, an array", { $0.replacing(32, with: 0xDD) + [0x80] }),
        ("ED set, keys are numbers", { $0.replacing(32, with: 0xDD) + [0xA1, 0x01, 0x02] }),
        ("ED set, a byte too many", { $0.replacing(32, with: 0xDD) + [0xA0, 0x00] }),
        ("ED clear, extensions there", { $0 + [0xA0] }),
        ("key cut short", { Array($0.dropLast()) }),
        ("key not canonical", { $0.replacing(87, with: 0xBF) }),
        ("key keys out of order", { $0.replacing(88, with: 0x04) }),
    ]

    @Test("Step 13: broken authenticator data are refused (27)", arguments: spoilt.indices)
    func authenticatorData(_ index: Int) async {
        var ceremony = RegistrationCeremony()
        ceremony.authenticatorData = Self.spoilt[index].1(ceremony.signedData)
        let refused = await ceremony.verify().refusal
        #expect(
            refused == refusal(.registration, 13, .authenticatorDataMalformed),
            "\(Self.spoilt[index].0)")
    }

    @Test("Extension outputs are handed on as they were sent; reserved bits are ignored (27)")
    func extensions() async throws {
        var ceremony = RegistrationCeremony()
        let outputs = hex("a1 6b 6372656450726f74656374 03")
        ceremony.authenticatorData = ceremony.signedData.replacing(32, with: 0xFF) + outputs
        let verified = try await ceremony.verify().get()
        #expect(verified.extensions.map { Array($0.bytes) } == outputs)
        #expect(verified.extensions?.outputs.first?.key == .text("credProtect"))
        #expect(verified.publicKey == ceremony.passkey.coseKey)
    }
}

extension [UInt8] {
    /// The same bytes but for one.
    func replacing(_ index: Int, with byte: UInt8) -> [UInt8] {
        var copy = self
        copy[index] = byte
        return copy
    }
}
