// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Foundation
import Primitives
import Testing

/// The attestation of an iPhone with iOS 14.4 (veehaitch/devicecheck-appattest), with Apple's own
/// root. Skipped if the clone has no shared vectors next to it.
private enum AppAttestVector {
    static let documents: [[String: String]] = {
        guard let text = SharedVector.text("app-attest-ios-14.4.yaml") else { return [] }
        return text.components(separatedBy: "\n---").map { document in
            var members: [String: String] = [:]
            for line in document.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let name = parts[0].trimmingCharacters(in: .whitespaces)
                let value = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " '"))
                members[name] = members[name] ?? value
            }
            return members
        }
    }()

    static var isPresent: Bool { document("attestation") != nil }

    static func document(_ type: String) -> [String: String]? {
        documents.first { $0["type"] == type }
    }

    static func bytes(_ name: String, of type: String) throws -> [UInt8] {
        let text = try #require(document(type)?[name])
        return try #require(Base64.decode(text))
    }

    static let application = "6MURL8TA57.de.vincent-haupert.apple-appattest-poc"
    /// Inside the three days of the leaf.
    static let then = Timestamp(rfc3339: "2021-01-23T12:13:33.335Z") ?? Timestamp(seconds: 0)

    static func verify(
        _ verifier: AppAttestVerifier, now: Timestamp = then
    ) async throws -> Result<VerifiedAppAttest, AttestationRefusal> {
        let evidence = try UnverifiedAppAttest(
            attestation: try bytes("attestationBase64", of: "attestation"),
            keyIdentifier: try bytes("keyIdBase64", of: "attestation"))
        let challenge = try bytes("clientDataHashSha256Base64", of: "attestation")
        return await verifier.verify(
            evidence, expecting: AttestationExpectation(challenge: challenge, now: now))
    }
}

@Suite("App Attest, a real device", .enabled(if: AppAttestVector.isPresent))
struct AppAttestVectorTests {
    private let verifier = AppAttestVerifier(
        applications: [AppAttestVector.application], environment: .development)

    @Test("The attestation leads to Apple's root, and every check passes")
    func attestation() async throws {
        let verified = try await AppAttestVector.verify(verifier).get()
        #expect(verified.application == AppAttestVector.application)
        #expect(verified.receipt?.type == "ATTEST")
        #expect(verified.receipt?.environment == "sandbox")
        #expect(verified.receipt?.created == Timestamp(rfc3339: "2021-01-23T12:13:35.801Z"))
        #expect(verified.receipt?.expires == Timestamp(rfc3339: "2021-04-23T12:13:35.801Z"))
        #expect(verified.receipt?.riskMetric == nil)
    }

    @Test("Attack 79: the receipt leads to Apple Root CA - G3, and to no other root")
    func receiptRoot() async throws {
        let other = AppAttestVerifier(
            applications: [AppAttestVector.application], environment: .development,
            receiptRoots: VendorRoots.appAttest)
        #expect(try await AppAttestVector.verify(other).code == .receiptUntrusted)
        let late = AppAttestVector.then + .minutes(6)
        #expect(try await AppAttestVector.verify(verifier, now: late).code == .receiptOutdated)
    }

    @Test("Four days later it is refused")
    func late() async throws {
        let late = AppAttestVector.then + .days(4)
        let result = try await AppAttestVector.verify(verifier, now: late)
        #expect(result.code == .chainUntrusted)
    }

    @Test("Where Android's roots are the roots, it is refused")
    func otherRoots() async throws {
        let other = AppAttestVerifier(
            applications: [AppAttestVector.application], environment: .development,
            roots: VendorRoots.androidKey)
        #expect(try await AppAttestVector.verify(other).code == .chainUntrusted)
    }

    @Test("In production the development key is refused")
    func production() async throws {
        let production = AppAttestVerifier(
            applications: [AppAttestVector.application], environment: .production)
        #expect(try await AppAttestVector.verify(production).code == .environmentMismatch)
    }

    @Test("The assertion is verified with the attested key, once")
    func assertion() async throws {
        let key = try await AppAttestVector.verify(self.verifier).get().key
        let evidence = try UnverifiedAppAttestAssertion(
            assertion: try AppAttestVector.bytes("assertionBase64", of: "assertion"),
            clientData: try AppAttestVector.bytes("clientDataBase64", of: "assertion"))
        let expectation = AttestationExpectation(
            challenge: try AppAttestVector.bytes("challengeBase64", of: "assertion"),
            now: AppAttestVector.then)
        func verifier(_ counter: UInt32) -> AppAttestAssertionVerifier {
            AppAttestAssertionVerifier(
                applications: [AppAttestVector.application], key: key, counter: counter,
                place: .prefix)
        }
        let first = await verifier(0).verify(evidence, expecting: expectation)
        #expect(try first.get().counter == 1)
        let again = await verifier(1).verify(evidence, expecting: expectation)
        #expect(again.code == .counterNotIncreased)
    }

    @Test("Both receipts are read, the refreshed one with its risk metric")
    func receipts() throws {
        let receipts = AppAttestVector.documents.filter { $0["receiptBase64"] != nil }
        #expect(receipts.count == 2)
        for document in receipts {
            let text = try #require(document["receiptBase64"])
            let receipt = try AppAttestReceipt(pkcs7: try #require(Base64.decode(text)))
            #expect(receipt.application == AppAttestVector.application)
            #expect(receipt.riskMetric == document["riskMetric"].flatMap { Int64($0) })
            let notBefore = document["notBefore"].flatMap { Timestamp(rfc3339: $0) }
            #expect(receipt.notBefore == notBefore)
        }
    }
}
