// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import Testing
import WebAuthn

@Suite("Attack 21: TPM structures")
struct Attack21Tests {
    typealias TPM = Attested.TPM

    static let spoilt: [(String, WebAuthnRefusal.Code, @Sendable (inout TPM) -> Void)] = [
        ("magic", .attestationTPMMagicWrong, { $0.magic = [0, 0, 0, 0] }),
        ("quote instead of certify", .attestationTPMTypeWrong, { $0.type = [0x80, 0x18] }),
        ("extraData", .attestationChallengeMismatch, { $0.extraData = [1, 2, 3] }),
        ("extraData empty", .attestationChallengeMismatch, { $0.extraData = [] }),
        (
            "extraData too long", .attestationTPMStructureMalformed,
            { $0.extraData = [UInt8](repeating: 0, count: 65) }
        ),
        (
            "name of another key", .attestationTPMNameMismatch,
            { $0.nameHash = [UInt8](repeating: 1, count: 32) }
        ),
        ("name empty", .attestationTPMNameMismatch, { $0.nameHash = [] }),
        ("name by SHA-1", .attestationTPMNameMismatch, { $0.nameAlgorithm = [0, 4] }),
        ("name by nothing", .attestationTPMNameMismatch, { $0.nameAlgorithm = [0, 0x10] }),
        ("a byte behind certInfo", .attestationTPMStructureMalformed, { $0.afterInfo = [0] }),
        ("a byte behind pubArea", .attestationTPMStructureMalformed, { $0.afterArea = [0] }),
        (
            "a symmetric key", .attestationTPMStructureMalformed,
            { $0.area.replaceSubrange(0..<2, with: [0, 0x25]) }
        ),
        ("another curve", .attestationKeyMismatch, { $0.area[13] = 4 }),
        ("an unknown curve", .attestationKeyMismatch, { $0.area[13] = 0x20 }),
        (
            "a scheme with a counter", .attestationTPMStructureMalformed,
            { $0.area.replaceSubrange(10..<12, with: [0, 0x1A]) }
        ),
        ("y changed", .attestationKeyMismatch, { $0.area[$0.area.count - 1] ^= 1 }),
    ]

    @Test("Attack 21: one part of a TPM's statement is wrong", arguments: spoilt.indices)
    func refused(_ index: Int) async throws {
        let (name, code, spoil) = Self.spoilt[index]
        let made = try Attested.tpm(spoil)
        #expect(await made.refusal() == statementRefusal(code), "\(name)")
    }

    @Test("Attack 21: both structures cut short anywhere")
    func truncated() throws {
        let tpm = try Attested.tpm().tpmStructures
        for length in tpm.publicArea.indices {
            #expect(throws: TPMStructureError.self) {
                try TPMPublicArea(tpm.publicArea.prefix(length))
            }
        }
        for length in tpm.certInfo.indices {
            #expect(throws: TPMStructureError.self) {
                try TPMAttestationData(tpm.certInfo.prefix(length))
            }
        }
        #expect(throws: Never.self) { try TPMPublicArea(tpm.publicArea[...]) }
        #expect(throws: Never.self) { try TPMAttestationData(tpm.certInfo[...]) }
    }

    @Test("Attack 21: an RSA area whose modulus is not as long as it says, or too long")
    func modulus() {
        var area = TPM.rsa(modulus: [UInt8](repeating: 0xFF, count: 256))
        area.insert(contentsOf: [0, 0x0B], at: 2)
        #expect(throws: Never.self) { try TPMPublicArea(area[...]) }
        var bits = area
        bits[18] = 4
        #expect(throws: TPMStructureError.self) { try TPMPublicArea(bits[...]) }
        var long = TPM.rsa(modulus: [UInt8](repeating: 0xFF, count: 1025))
        long.insert(contentsOf: [0, 0x0B], at: 2)
        #expect(throws: TPMStructureError.tooLong) { try TPMPublicArea(long[...]) }
    }

    @Test("Attack 21: ver is another version, missing or no text")
    func version() async throws {
        for value in [.text("1.2"), .text(""), nil, .integer(2)] as [CBORValue?] {
            var made = try Attested.tpm()
            made.statement["ver"] = value
            #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
        }
    }

    @Test(
        "Attack 21: each member missing", arguments: ["alg", "sig", "x5c", "pubArea", "certInfo"])
    func missing(_ name: String) async throws {
        var made = try Attested.tpm()
        made.statement[name] = nil
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }

    @Test("Attack 21: a signature by the credential's key instead of the identity key")
    func signature() async throws {
        var made = try Attested.tpm()
        let info = Array(made.statement["certInfo"]?.byteString ?? [])
        made.statement["sig"] = .byteString(
            try made.ceremony.passkey.key.signature(for: info).derRepresentation)
        #expect(await made.refusal() == statementRefusal(.attestationSignatureInvalid))
    }

    @Test("Attack 21: a manufacturer that the policy does not name")
    func vendor() async throws {
        var made = try Attested.tpm()
        made.policy.tpmVendors = TPMVendors.registered
        #expect(await made.refusal() == nil)
        var other = try Attested.tpm(leaf: try Attested.identityLeaf(vendor: "id:00000000"))
        #expect(await other.refusal() == nil)
        other.policy.tpmVendors = TPMVendors.registered
        #expect(await other.refusal() == statementRefusal(.attestationTPMVendorNotAllowed))
    }
}
