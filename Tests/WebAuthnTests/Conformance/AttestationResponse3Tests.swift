// SPDX-License-Identifier: Apache-2.0
import CBOR
import Testing
import WebAuthn

@Suite("Server-ServerAuthenticatorAttestationResponse-Resp-3: the attestation object")
struct AttestationResponse3Tests {
    private static func refusal(
        replacing bytes: [UInt8], in ceremony: RegistrationCeremony = RegistrationCeremony()
    ) async -> WebAuthnRefusal? {
        var ceremony = ceremony
        ceremony.attestationObject = bytes
        return await ceremony.verify().refusal
    }

    private static func object(_ members: [String: CBORValue?]) -> [UInt8] {
        let data = RegistrationCeremony().passkey.attestedAuthenticatorData()
        var all: [String: CBORValue] = [
            "fmt": .text("none"), "attStmt": .map([]), "authData": .byteString(data),
        ]
        for (name, value) in members { all[name] = value }
        return CBORValue.map(all.map { CBOREntry(.text($0), $1) }).encoded(ordering: .ctap2)
    }

    @Test("Resp-3 P-1: the ED flag with extension data is accepted")
    func p1() async throws {
        var ceremony = RegistrationCeremony()
        ceremony.authenticatorData =
            ceremony.signedData.replacing(32, with: 0xDD) + hex("a1 6b 6578616d706c652e657874 f5")
        #expect(try await ceremony.verify().get().extensions != nil)
    }

    @Test("Resp-3 F-1: no CBOR map")
    func f1() async {
        let bytes = CBORValue.array([.text("none")]).encoded(ordering: .ctap2)
        #expect(
            await Self.refusal(replacing: bytes)
                == WebAuthnTests.refusal(.registration, 13, .attestationObjectMalformed))
    }

    static let members: [(String, [String: CBORValue?])] = [
        ("Resp-3 F-2: fmt is missing", ["fmt": nil]),
        ("Resp-3 F-3: fmt is no text", ["fmt": .unsigned(1)]),
        ("Resp-3 F-4: attStmt is missing", ["attStmt": nil]),
        ("Resp-3 F-5: attStmt is no map", ["attStmt": .array([])]),
        ("Resp-3 F-6: authData is missing", ["authData": nil]),
        ("Resp-3 F-7: authData is no byte string", ["authData": .text("x")]),
    ]

    @Test("Resp-3 F-2 to F-7: a member is missing or of the wrong type", arguments: members)
    func f2to7(_ name: String, _ members: [String: CBORValue?]) async {
        #expect(
            await Self.refusal(replacing: Self.object(members))
                == WebAuthnTests.refusal(.registration, 13, .attestationObjectMalformed),
            "\(name)")
    }

    /// What follows is about good authenticator data of 37 + 18 + 32 + 77 bytes.
    static let data: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
        ("Resp-3 F-8: authData is empty", { _ in [] }),
        ("Resp-3 F-9: AT is clear, the credential is there", { $0.replacing(32, with: 0x1D) }),
        (
            "Resp-3 F-10: AT is clear, no credential is there",
            { Array($0.prefix(37)).replacing(32, with: 0x1D) }
        ),
        ("Resp-3 F-11: AT is set, no credential is there", { Array($0.prefix(37)) }),
        ("Resp-3 F-12: bytes are left over", { $0 + [0, 1, 2] }),
    ]

    @Test("Resp-3 F-8 to F-12: broken authenticator data", arguments: data.indices)
    func f8to12(_ index: Int) async {
        let bytes = Self.data[index].1(RegistrationCeremony().signedData)
        #expect(
            await Self.refusal(replacing: Self.object(["authData": .byteString(bytes)]))
                == WebAuthnTests.refusal(.registration, 13, .authenticatorDataMalformed),
            "\(Self.data[index].0)")
    }

    @Test("Resp-3 F-13: packed with an empty statement")
    func f13() async throws {
        var made = try Attested.packedSelf()
        made.statement = [:]
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }

    static let statements: [(String, String, CBORValue?)] = [
        ("Resp-3 F-14: alg is missing", "alg", nil),
        ("Resp-3 F-15: alg is no number", "alg", .text("-7")),
        ("Resp-3 F-17: sig is missing", "sig", nil),
        ("Resp-3 F-18: sig is no byte string", "sig", .text("x")),
        ("Resp-3 F-19: sig is empty", "sig", .byteString([])),
    ]

    @Test("Resp-3 F-14 to F-19: a member of packed is wrong", arguments: statements)
    func f14to19(_ name: String, _ member: String, _ value: CBORValue?) async throws {
        var made = try Attested.packedSelf()
        made.statement[member] = value
        #expect(
            await made.refusal() == statementRefusal(.attestationStatementMalformed), "\(name)")
    }

    @Test("Resp-3 F-16: alg is not one of the model's metadata")
    func f16() async throws {
        var made = try Attested.packedSelf()
        let model = [UInt8](1...16)
        made.ceremony.passkey.aaguid = model
        try made.signBySelf()
        var trust = AuthenticatorTrust(anchors: .none)
        trust.attestationTypes = [.selfAttestation]
        trust.algorithms = [.es256]
        let aaguid = try #require(AAGUID(model))
        made.policy.source = TestTrustSource(models: [.aaguid(aaguid): trust])
        #expect(await made.refusal() == nil)
        trust.algorithms = [.rs256]
        made.policy.source = TestTrustSource(models: [.aaguid(aaguid): trust])
        #expect(await made.refusal() == trustRefusal(.attestationModelNotAllowed))
    }
}
