// SPDX-License-Identifier: Apache-2.0
import CBOR
import Testing
import WebAuthn

@Suite("Attack 20: statements under the wrong name, and compound ones")
struct Attack20Tests {
    private static func part(_ made: Attested) -> CBORValue {
        part(made.ceremony.format, made.statement)
    }

    private static func part(_ format: String, _ statement: [String: CBORValue]) -> CBORValue {
        .map([
            CBOREntry(.text("fmt"), .text(format)),
            CBOREntry(.text("attStmt"), .map(statement.map { CBOREntry(.text($0), $1) })),
        ])
    }

    /// Packed by the maker, and by the credential itself.
    private static func parts() throws -> (Attested, certified: CBORValue, own: CBORValue) {
        let made = try Attested.packed()
        var own = made
        own.statement = [:]
        try own.signBySelf()
        return (made, part(made), part(own))
    }

    private static func verify(
        _ made: Attested, _ parts: [CBORValue], rule: CompoundRule = .all,
        _ policy: (inout AttestationPolicy) -> Void = { _ in }
    ) async -> Result<VerifiedRegistration, WebAuthnRefusal> {
        var ceremony = made.ceremony
        ceremony.expectation.attestation.compoundRule = rule
        policy(&ceremony.expectation.attestation)
        ceremony.attestationObject = CBORValue.map([
            CBOREntry(.text("fmt"), .text("compound")),
            CBOREntry(.text("attStmt"), .array(parts)),
            CBOREntry(.text("authData"), .byteString(ceremony.signedData)),
        ]).encoded(ordering: .ctap2)
        return await ceremony.verify()
    }

    @Test("Attack 20: none with a statement, and packed under the name none")
    func none() async throws {
        var made = try Attested.packed()
        made.ceremony.format = "none"
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
        made.statement = ["x": .null]
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }

    @Test("Attack 20: every statement under every other name")
    func otherNames() async throws {
        let all = [
            try Attested.packed(), try Attested.u2f(), try Attested.tpm(), try Attested.apple(),
            try Attested.androidKey(), try Attested.safetyNet(),
        ]
        for made in all {
            #expect(await made.refusal() == nil, "\(made.ceremony.format)")
            for other in all where other.ceremony.format != made.ceremony.format {
                var copy = made
                copy.ceremony.format = other.ceremony.format
                let refused = await copy.refusal()
                #expect(refused != nil, "\(made.ceremony.format) as \(other.ceremony.format)")
                #expect(refused?.step == CeremonyStep(.registration, 22))
            }
        }
    }

    @Test("Attack 20: an unknown fmt")
    func unknown() async throws {
        var made = try Attested.packed()
        made.ceremony.format = "apple-appattest"
        #expect(
            await made.refusal() == refusal(.registration, 21, .attestationFormatUnsupported))
    }

    @Test("Attack 20: a member that a format does not know, in each of them")
    func unknownMember() async throws {
        for var made in [
            try Attested.packed(), try Attested.packedSelf(), try Attested.u2f(),
            try Attested.tpm(), try Attested.apple(), try Attested.androidKey(),
            try Attested.safetyNet(),
        ] {
            made.statement["ecdaaKeyId"] = .byteString([1])
            #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
        }
    }

    @Test("Two correct statements of a compound one are accepted, as far as the weaker goes")
    func compound() async throws {
        let (made, certified, own) = try Self.parts()
        let both = try await Self.verify(made, [certified, certified]).get()
        #expect(both.format == "compound")
        #expect(both.attestationType == .certified)
        #expect(both.trust == .anchored)
        let mixed = await Self.verify(made, [certified, own]) { $0.acceptsSelf = true }
        #expect(try mixed.get().trust == .none)
        let best = await Self.verify(made, [own, certified], rule: .any) { $0.acceptsSelf = true }
        #expect(try best.get().trust == .anchored)
        #expect(try best.get().trustPath.count == 2)
    }

    @Test("Attack 20: compound inside compound")
    func nested() async throws {
        let (made, certified, own) = try Self.parts()
        let inner = CBORValue.map([
            CBOREntry(.text("fmt"), .text("compound")),
            CBOREntry(.text("attStmt"), .array([own, own])),
        ])
        for rule in CompoundRule.allCases {
            let result = await Self.verify(made, [certified, inner], rule: rule)
            #expect(result.refusal == statementRefusal(.attestationCompoundNested))
        }
    }

    @Test("Attack 20: compound of one, or of none")
    func one() async throws {
        let (made, certified, _) = try Self.parts()
        for parts in [[certified], []] {
            #expect(
                await Self.verify(made, parts).refusal
                    == statementRefusal(.attestationCompoundTooFew))
        }
    }

    @Test("Attack 20: compound of nine, and of values that are not statements")
    func malformed() async throws {
        let (made, certified, _) = try Self.parts()
        let bad: [[CBORValue]] = [
            [CBORValue](repeating: certified, count: 9), [certified, .null],
            [certified, .map([])], [certified, .map([CBOREntry(.text("fmt"), .text("none"))])],
            [
                certified,
                .map([
                    CBOREntry(.text("fmt"), .text("none")),
                    CBOREntry(.text("attStmt"), .array([])),
                ]),
            ],
        ]
        for parts in bad {
            for rule in CompoundRule.allCases {
                #expect(
                    await Self.verify(made, parts, rule: rule).refusal
                        == statementRefusal(.attestationStatementMalformed))
            }
        }
        #expect(
            await Self.verify(made, [certified, Self.part("magic", [:])], rule: .any).refusal
                == statementRefusal(.attestationFormatUnsupported))
    }

    @Test("Attack 20: one good statement and one bad: any accepts, all refuses")
    func mixed() async throws {
        let (made, certified, _) = try Self.parts()
        var spoilt = made
        spoilt.statement["sig"] = .byteString([0x30, 6, 2, 1, 1, 2, 1, 1])
        let bad = Self.part(spoilt)
        for parts in [[certified, bad], [bad, certified]] {
            #expect(
                await Self.verify(made, parts).refusal
                    == statementRefusal(.attestationSignatureInvalid))
            #expect(try await Self.verify(made, parts, rule: .any).get().trust == .anchored)
        }
        #expect(
            await Self.verify(made, [bad, bad], rule: .any).refusal
                == statementRefusal(.attestationSignatureInvalid))
    }

    @Test("Attack 20: one trusted statement and one untrusted: any accepts, all refuses")
    func mixedTrust() async throws {
        let (made, certified, own) = try Self.parts()
        #expect(
            await Self.verify(made, [own, certified]).refusal
                == trustRefusal(.attestationNotAcceptable))
        #expect(try await Self.verify(made, [own, certified], rule: .any).get().trust == .anchored)
        #expect(
            await Self.verify(made, [own, own], rule: .any).refusal
                == trustRefusal(.attestationNotAcceptable))
    }

    @Test("Attack 20: a compound statement that is a map, and another that is an array")
    func shapes() async throws {
        var made = try Attested.packed()
        made.ceremony.format = "compound"
        #expect(
            await made.refusal() == refusal(.registration, 13, .attestationObjectMalformed))
    }
}
