// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import Foundation
import JOSE
import Primitives
import Testing
import WebAuthn

/// What a real TPM (swtpm, asked by `tpm/make_quotes.py`) said of a key and of how its machine was
/// booted.
private struct QuotedTPM: Sendable, CustomTestStringConvertible {
    let name: String
    var key: UnverifiedTPMKey
    let registered: PublicJWK
    let challenge: [UInt8]

    var testDescription: String { name }

    static let all: [QuotedTPM] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "tpm/quotes.json")
        guard let data = try? Data(contentsOf: path),
            let list = try? JSONParser.parse(Array(data), maximumBytes: 100_000)
        else { return [] }
        return (list.array ?? []).compactMap { try? QuotedTPM($0) }
    }()

    private init(_ value: JSONValue) throws {
        func bytes(_ name: String) throws -> [UInt8] {
            try #require(value[name]?.string.flatMap { Base64URL.decode($0) })
        }
        func key(_ name: String) throws -> PublicJWK {
            let object = try #require(value[name]?.object)
            return try #require(try JSONWebKey(object).publicKey)
        }
        var values: [Int: [UInt8]] = [:]
        for member in value["pcrs"]?.object?.members ?? [] {
            let index = try #require(Int(member.name))
            values[index] = member.value.string.flatMap { Base64URL.decode($0) }
        }
        let algorithm = value["algorithm"]?.integer.flatMap { COSEAlgorithm(rawValue: $0) }
        name = value["name"]?.string ?? ""
        registered = try key("publicKey")
        challenge = try bytes("challenge")
        self.key = UnverifiedTPMKey(
            publicArea: try bytes("publicArea"), certifyInfo: try bytes("certifyInfo"),
            signature: try bytes("signature"), algorithm: try #require(algorithm),
            attestationKey: try key("attestationKey"),
            quote: UnverifiedTPMQuote(
                quoted: try bytes("quoted"), signature: try bytes("quoteSignature"),
                values: values))
    }

    /// The values that the machine has.
    var boot: TPMBootRequirement {
        TPMBootRequirement(accepted: (key.quote?.values ?? [:]).mapValues { [$0] })
    }

    func verify(
        _ boot: TPMBootRequirement?, quote: UnverifiedTPMQuote?, challenge: [UInt8]? = nil
    ) async throws -> Result<VerifiedTPMKey, AttestationRefusal> {
        let evidence = UnverifiedTPMKey(
            publicArea: key.publicArea, certifyInfo: key.certifyInfo, signature: key.signature,
            algorithm: key.algorithm, attestationKey: key.attestationKey, quote: quote)
        let trust = TPMAttestationKeyTrust.known([try #require(key.attestationKey)])
        return await TPMKeyVerifier(trust: trust, boot: boot).verify(
            evidence,
            expecting: AttestationExpectation(
                challenge: challenge ?? self.challenge, key: registered, now: now))
    }

    /// Why the quote is refused with some of it in another way.
    func code(
        _ boot: TPMBootRequirement? = nil, quoted: [UInt8]? = nil, signature: [UInt8]? = nil,
        values: [Int: [UInt8]]? = nil
    ) async throws -> AttestationRefusal.Code? {
        let own = try #require(key.quote)
        let quote = UnverifiedTPMQuote(
            quoted: quoted ?? own.quoted, signature: signature ?? own.signature,
            values: values ?? own.values)
        return try await verify(boot ?? self.boot, quote: quote).code
    }
}

@Suite("A device's boot state, attested by its TPM")
struct TPMQuoteTests {
    @Test("there is a TPM with a key on P-256 and one with an RSA key")
    func both() {
        #expect(QuotedTPM.all.map(\.name) == ["P-256", "RSA"])
    }

    @Test("a quote of the registers that are asked for is verified", arguments: QuotedTPM.all)
    fileprivate func verified(_ tpm: QuotedTPM) async throws {
        let quote = tpm.key.quote
        let verified = try await tpm.verify(tpm.boot, quote: quote).get()
        #expect(verified.quote?.values == quote?.values)
        #expect(verified.key == tpm.registered)
        // Fewer may be asked for than were quoted, and of several values one is enough.
        let some = TPMBootRequirement(
            accepted: [7: [[UInt8](repeating: 0, count: 32), quote?.values[7] ?? []]])
        #expect(try await tpm.verify(some, quote: quote).code == nil)
    }

    @Test("where nothing is demanded, none is looked at", arguments: QuotedTPM.all)
    fileprivate func voluntary(_ tpm: QuotedTPM) async throws {
        let broken = UnverifiedTPMQuote(quoted: [1], signature: [2], values: [:])
        let verified = try await tpm.verify(nil, quote: broken).get()
        #expect(verified.quote == nil)
        #expect(try await tpm.verify(tpm.boot, quote: nil).code == .quoteMissing)
    }

    @Test("another value than those that are accepted is refused", arguments: QuotedTPM.all)
    fileprivate func otherBoot(_ tpm: QuotedTPM) async throws {
        let other = TPMBootRequirement(accepted: [11: [[UInt8](repeating: 1, count: 32)]])
        #expect(try await tpm.code(other) == .bootNotAccepted)
        let missing = TPMBootRequirement(accepted: [4: [[UInt8](repeating: 0, count: 32)]])
        #expect(try await tpm.code(missing) == .registerMissing)
        #expect(try await tpm.code(TPMBootRequirement(accepted: [7: []])) == .bootNotAccepted)
    }

    @Test("values that were not quoted are refused", arguments: QuotedTPM.all)
    fileprivate func otherValues(_ tpm: QuotedTPM) async throws {
        let own = try #require(tpm.key.quote?.values)
        var changed = own
        changed[7] = [UInt8](repeating: 9, count: 32)
        #expect(try await tpm.code(values: changed) == .registerMismatch)
        // Two that have changed places give another hash as well.
        changed = own
        (changed[7], changed[11]) = (own[11], own[7])
        #expect(try await tpm.code(values: changed) == .registerMismatch)
        changed = own
        changed[11] = nil
        #expect(try await tpm.code(values: changed) == .registerMissing)
        changed = own
        changed[4] = own[0]
        #expect(try await tpm.code(values: changed) == .registerMissing)
        // The same bytes, cut elsewhere.
        changed = own
        let joined = (own[0] ?? []) + (own[7] ?? [])
        (changed[0], changed[7]) = (Array(joined.prefix(33)), Array(joined.dropFirst(33)))
        #expect(try await tpm.code(values: changed) == .registerMissing)
        #expect(try await tpm.code(values: [:]) == .registerMissing)
    }

    @Test("another signature, and what the key signed for another purpose, are refused")
    func otherSignature() async throws {
        for tpm in QuotedTPM.all {
            let quote = try #require(tpm.key.quote)
            #expect(try await tpm.code(signature: tpm.key.signature) == .signatureInvalid)
            #expect(try await tpm.code(signature: []) == .signatureInvalid)
            #expect(
                try await tpm.code(quoted: tpm.key.certifyInfo, signature: tpm.key.signature)
                    == .evidenceMalformed)
            #expect(try await tpm.code(quoted: quote.quoted + [0]) == .signatureInvalid)
        }
        // By another TPM, which is as good in itself.
        let (first, second) = (QuotedTPM.all[0], QuotedTPM.all[1])
        let other = try await first.verify(first.boot, quote: second.key.quote)
        #expect(other.code == .signatureInvalid)
    }

    @Test("for another moment it is refused", arguments: QuotedTPM.all)
    fileprivate func otherChallenge(_ tpm: QuotedTPM) async throws {
        let answer = try await tpm.verify(tpm.boot, quote: tpm.key.quote, challenge: [1, 2, 3])
        #expect(answer.code == .challengeMismatch)
    }
}

/// Quotes that a TPM never creates, signed by a trusted key.
@Suite("The form of a quote")
struct TPMQuoteFormTests {
    private let signer = P256.Signing.PrivateKey()

    private struct Form {
        var magic: [UInt8] = [0xFF, 0x54, 0x43, 0x47]
        var type: [UInt8] = [0x80, 0x18]
        /// Count, then bank, length and bits.
        var selection: [UInt8] = [0, 0, 0, 1, 0x00, 0x0B, 3, 0x80, 0, 0]
        var value = [UInt8](repeating: 5, count: 32)
        var tail: [UInt8] = []

        var bytes: [UInt8] {
            let digest = Array(SHA256.hash(data: value))
            return magic + type + [0, 0] + [0, UInt8(challenge.count)] + challenge
                + [UInt8](repeating: 0, count: 25) + selection + [0, 32] + digest + tail
        }
    }

    private func read(_ change: (inout Form) -> Void) -> TPMStructureError? {
        var form = Form()
        change(&form)
        do throws(TPMStructureError) {
            _ = try TPMQuoteData(form.bytes[...])
            return nil
        } catch { return error }
    }

    @Test("a selection is read in order of its bits")
    func selection() throws {
        var form = Form()
        form.selection = [0, 0, 0, 2, 0x00, 0x04, 0, 0x00, 0x0B, 3, 0x81, 0, 0x80]
        let data = try TPMQuoteData(form.bytes[...])
        #expect(data.selections.map(\.bank) == [4, 0x0B])
        #expect(data.selections.map(\.indexes) == [[], [0, 7, 23]])
    }

    @Test("what the TPM did not make, or made for something else, is refused")
    func otherType() {
        #expect(read { $0.magic = [0, 0, 0, 0] } == .wrongMagic)
        #expect(read { $0.type = [0x80, 0x17] } == .wrongType)
        #expect(read { _ in } == nil)
    }

    @Test("what is cut short, too long, or goes on is refused")
    func bounds() {
        #expect(read { $0.selection = [0, 0, 0, 17] } == .tooLong)
        #expect(read { $0.selection = [0xFF, 0xFF, 0xFF, 0xFF] } == .tooLong)
        #expect(read { $0.selection = [0, 0, 0, 1, 0, 0x0B, 5, 0, 0, 0, 0, 0] } == .tooLong)
        #expect(read { $0.tail = [0] } == .trailingBytes)
        let whole = Form().bytes
        for length in 0..<whole.count {
            #expect(throws: TPMStructureError.self) { try TPMQuoteData(whole.prefix(length)) }
        }
    }
}
