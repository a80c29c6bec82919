// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Primitives
import Support
import Testing

@Suite("App Attest receipt")
struct AppAttestReceiptTests {
    private static func code(
        _ spoil: (inout ReceiptFields) -> Void
    ) -> AttestationRefusal.Code? {
        var fields = ReceiptFields()
        fields.certificate = [1]
        spoil(&fields)
        do throws(AttestationRefusal) {
            _ = try AppAttestReceipt(pkcs7: fields.pkcs7)
            return nil
        } catch { return error.code }
    }

    @Test("All fields are read, those of a refreshed receipt too")
    func reads() throws {
        var fields = ReceiptFields()
        fields.certificate = [1]
        fields.type = "RECEIPT"
        fields.others = [
            (17, Array("3".utf8)), (19, Array("2027-01-16T08:00:00.564Z".utf8)), (99, [1, 2]),
        ]
        let receipt = try AppAttestReceipt(pkcs7: fields.pkcs7)
        #expect(receipt.application == AppAttestation.application)
        #expect(receipt.certificate == [1])
        #expect(receipt.type == "RECEIPT")
        #expect(receipt.environment == "sandbox")
        #expect(receipt.riskMetric == 3)
        #expect(receipt.notBefore == Timestamp(rfc3339: "2027-01-16T08:00:00.564Z"))
        #expect(receipt.created == Timestamp(rfc3339: "2027-01-15T08:00:00Z"))
        #expect(receipt.expires == Timestamp(rfc3339: "2027-04-15T08:00:00Z"))
    }

    @Test("A field that must be there and is not is refused", arguments: [2, 3, 6, 12, 21])
    func missing(_ field: UInt8) {
        #expect(Self.code { $0.without = [field] } == .receiptMalformed)
    }

    @Test("A field that comes twice is refused")
    func twice() {
        #expect(Self.code { $0.others = [(2, [0x41])] } == .receiptMalformed)
    }

    @Test("A time that is none is refused", arguments: ["", "yesterday", "2027-02-30T00:00:00Z"])
    func noTime(_ text: String) {
        #expect(Self.code { $0.created = text } == .receiptMalformed)
    }

    @Test(
        "A risk metric that is no number is refused",
        arguments: ["", "-1", "many", "9999999999999999999"])
    func noNumber(_ text: String) {
        #expect(Self.code { $0.others = [(17, Array(text.utf8))] } == .receiptMalformed)
    }

    @Test("Text that is not UTF-8 is refused")
    func noText() {
        #expect(Self.code { $0.others = [(17, [0xFF])] } == .receiptMalformed)
    }

    @Test("Signed data around something else than data are refused")
    func otherContent() {
        #expect(Self.code { $0.contentType = [0x2A, 0x03] } == .receiptMalformed)
    }

    @Test(
        "Bytes that are no PKCS #7 are refused",
        arguments: [
            [], [0x30, 0x00], [0x30, 0x80, 0, 0], [0x04, 0x01, 0x00],
            [UInt8](repeating: 0x30, count: 40_000),
        ])
    func noContainer(_ bytes: [UInt8]) {
        #expect(throws: AttestationRefusal(.receiptMalformed, "")) {
            try AppAttestReceipt(pkcs7: bytes)
        }
    }

    @Test("Containers inside one another without end are refused, not followed")
    func deep() {
        let bytes = (0..<8000).flatMap { _ in [0x30, 0x80] as [UInt8] }
        #expect(throws: AttestationRefusal(.receiptMalformed, "")) {
            try AppAttestReceipt(pkcs7: bytes)
        }
    }

    @Test("What is cut short anywhere is refused")
    func truncated() {
        var fields = ReceiptFields()
        fields.certificate = [1]
        let bytes = fields.pkcs7
        for count in bytes.indices {
            #expect(throws: AttestationRefusal(.receiptMalformed, "")) {
                try AppAttestReceipt(pkcs7: Array(bytes.prefix(count)))
            }
        }
    }

    @Test("Bytes that are turned at random are refused or read, and nothing else happens")
    func mutations() {
        var fields = ReceiptFields()
        fields.certificate = [1]
        let (bytes, random) = (fields.pkcs7, SeededRandom(seed: 4))
        for _ in 0..<2000 {
            let index = Int(random.next() % UInt64(bytes.count))
            let turned = bytes.replacing(index, with: random.bytes(1)[0])
            _ = try? AppAttestReceipt(pkcs7: turned)
        }
    }

    // MARK: Together with an attestation

    @Test("A receipt that says something else than its attestation is refused")
    func mismatch() async throws {
        let spoilers: [(inout ReceiptFields) -> Void] = [
            { $0.application = "TEAM123456.org.example.other" }, { $0.certificate = [1] },
            { $0.clientHash = [1] }, { $0.environment = "production" },
        ]
        for spoil in spoilers {
            let code = try await AppAttestation.code { spoil(&$0.receiptFields) }
            #expect(code == .receiptMismatch)
        }
    }

    @Test("A receipt that cannot be read is refused")
    func unreadable() async throws {
        #expect(try await AppAttestation.code { $0.receipt = [1, 2, 3] } == .receiptMalformed)
    }

    @Test("Without a required receipt, the attestation is sufficient")
    func unchecked() async throws {
        var made = try AppAttestation()
        made.receipt = [1, 2, 3]
        let verified = try await made.verify(made.verifier(checksReceipt: false)).get()
        #expect(verified.receipt == nil)
        #expect(verified.receiptBytes == [1, 2, 3])
    }

    // MARK: Apple's signature, with a fake root that replaces Apple Root CA - G3

    @Test("Attack 79: a receipt that Apple did not sign, or signed for something else, is refused")
    func forged() async throws {
        let spoilers: [(inout ReceiptFields) -> Void] = [
            { $0.signedBytes = [1, 2, 3] }, { $0.signers = 0 }, { $0.signers = 2 },
            { $0.hasCertificates = false }, { $0.marks = [] },
            { $0.marks = ["1.2.840.113635.100.6.2.3"] }, { $0.attributes = [0xA0, 0x00] },
        ]
        for (index, spoil) in spoilers.enumerated() {
            let code = try await AppAttestation.code { spoil(&$0.receiptFields) }
            #expect(code == .receiptUntrusted, "\(index)")
        }
        let stranger = try AttestationAuthority()
        #expect(
            try await AppAttestation.code { $0.receiptAuthority = stranger } == .receiptUntrusted)
        // What came without a signature passed before.
        #expect(
            try await AppAttestation.code { made in
                made.certificates = try made.path()
                var fields = made.receiptFields
                fields.certificate = made.certificates?.first
                made.receipt = fields.pkcs7
            } == .receiptUntrusted)
    }

    @Test("Attack 79: a receipt below the root of attestations, or of another purpose, is refused")
    func otherRoot() async throws {
        let made = try AppAttestation()
        let verifier = AppAttestVerifier(
            applications: [AppAttestation.application], environment: .development,
            roots: try made.authority.roots)
        // The roots of receipts are Apple's, which has not signed this.
        #expect(try await made.verify(verifier).code == .receiptUntrusted)
    }

    @Test(
        "Attack 79: an old receipt, one from the future and a refreshed one do not come with a new key"
    )
    func fresh() async throws {
        let cases: [((inout ReceiptFields) -> Void, AttestationRefusal.Code?)] = [
            ({ $0.created = "2027-01-15T07:55:00Z" }, nil),
            ({ $0.created = "2027-01-15T07:54:59Z" }, .receiptOutdated),
            ({ $0.created = "2027-01-15T08:01:00Z" }, nil),
            ({ $0.created = "2027-01-15T08:01:01Z" }, .receiptOutdated),
            ({ $0.expires = "2027-01-15T07:59:59Z" }, .receiptOutdated),
            ({ $0.type = "RECEIPT" }, .receiptMismatch),
        ]
        for (index, (spoil, expected)) in cases.enumerated() {
            let code = try await AppAttestation.code { spoil(&$0.receiptFields) }
            #expect(code == expected, "\(index)")
        }
    }
}
