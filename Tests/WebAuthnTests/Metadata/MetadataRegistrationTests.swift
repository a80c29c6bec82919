// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import Foundation
import JOSE
import Primitives
import Support
import Testing
import WebAuthn

/// From a signed BLOB to the registration of a key that it speaks of.
@Suite struct MetadataRegistrationTests {
    typealias Publisher = MetadataPublisher

    /// A key of the model that the BLOB describes, attested by its maker.
    private static func attested() throws -> Attested {
        var made = try Attested(format: "packed")
        made.ceremony.passkey.aaguid = try #require(AAGUID(Publisher.model)).bytes
        let issued = try made.authority.issue()
        try made.sign(by: issued, path: [issued.der, made.authority.intermediate.der])
        made.policy = .unassessed
        made.policy.acceptsUnanchored = false
        return made
    }

    /// What the BLOB says, after it went through the verifier.
    private static func snapshot(
        of maker: AttestationAuthority, reports: [JSONValue] = [],
        _ change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> MetadataSnapshot {
        let root = Data(try maker.root.der).base64EncodedString()
        var statement = Publisher.statement()
        statement["attestationRootCertificates"] = [.string(root)]
        change(&statement)
        let publisher = try Publisher()
        let entry = Publisher.entry(reports: reports, statement: statement)
        let blob = try await publisher.verifier()
            .verify(try publisher.blob(Publisher.payload(entries: [entry])), now: Publisher.now)
        return MetadataStore(blob).snapshot(at: Publisher.now)
    }

    private static func refusal(
        reports: [JSONValue] = [], _ change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> WebAuthnRefusal? {
        var made = try attested()
        made.policy.source = try await snapshot(of: made.authority, reports: reports, change)
        return await made.refusal()
    }

    @Test("A key whose chain ends in its model's root is anchored, and an attested security key")
    func anchored() async throws {
        var made = try Self.attested()
        made.policy.source = try await Self.snapshot(of: made.authority)
        made.ceremony.passkey.flags = 0b0000_0101
        let issued = try made.authority.issue()
        try made.sign(by: issued, path: [issued.der, made.authority.intermediate.der])
        let verified = try await made.verify().get()
        #expect(verified.trust == .anchored)
        var facts = verified.facts
        facts.attachment = .crossPlatform
        #expect(facts.assurance == .attestedSecurityKey)
    }

    @Test("Without metadata, or with another root, it is untrusted")
    func untrusted() async throws {
        var made = try Self.attested()
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
        made.policy.source = try await Self.snapshot(of: try AttestationAuthority())
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
    }

    @Test("An algorithm that the model does not have is refused")
    func algorithm() async throws {
        let refused = try await Self.refusal {
            $0["authenticationAlgorithms"] = ["rsassa_pkcsv15_sha256_raw"]
        }
        #expect(refused == trustRefusal(.attestationModelNotAllowed))
    }

    @Test("Full attestation of a model with self attestation only is refused")
    func attestationType() async throws {
        let refused = try await Self.refusal { $0["attestationTypes"] = ["basic_surrogate"] }
        #expect(refused == trustRefusal(.attestationNotAcceptable))
    }

    @Test("A key of a compromised model is refused, and one of an updated model is not")
    func status() async throws {
        let compromised = try await Self.refusal(reports: [["status": "USER_KEY_REMOTE_COMPROMISE"]]
        )
        #expect(compromised == trustRefusal(.attestationModelNotAllowed))
        #expect(try await Self.refusal(reports: [["status": "UPDATE_AVAILABLE"]]) == nil)
    }

    @Test("A key of a batch whose attestation key was compromised is refused")
    func batch() async throws {
        var made = try Self.attested()
        let issued = try made.authority.issue()
        try made.sign(by: issued, path: [issued.der, made.authority.intermediate.der])
        let report: JSONValue = [
            "status": "ATTESTATION_KEY_COMPROMISE",
            "certificate": .string(Data(try issued.der).base64EncodedString()),
        ]
        made.policy.source = try await Self.snapshot(of: made.authority, reports: [report])
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
        let other = try made.authority.issue()
        try made.sign(by: other, path: [other.der, made.authority.intermediate.der])
        #expect(await made.refusal() == nil)
    }

    @Test("A BLOB of ten million bytes is read whole")
    func large() async throws {
        let publisher = try Publisher()
        let picture = Data(MetadataStoreTests.png() + [UInt8](repeating: 7, count: 90_000))
        var statement = Publisher.statement()
        statement["icon"] = .string("data:image/png;base64,\(picture.base64EncodedString())")
        let entries = (0..<84).map { number in
            Publisher.entry(
                aaguid: "00000000-0000-0000-0000-0000000000" + (number < 10 ? "0" : "")
                    + "\(number)", statement: statement)
        }
        let bytes = try publisher.blob(Publisher.payload(entries: entries))
        #expect(bytes.count > 10_000_000)
        let blob = try await publisher.verifier().verify(bytes, now: Publisher.now)
        #expect(blob.entries.count == 84 && blob.faults.isEmpty)
        #expect(MetadataStore(blob).count == 83)
    }

    @Test("Moments that no certificate knows are refused, and trap nowhere (44)")
    func absurdTime() async throws {
        var made = try Self.attested()
        made.policy.source = try await Self.snapshot(of: made.authority)
        for now in [Timestamp(milliseconds: .min), Timestamp(milliseconds: .max)] {
            made.ceremony.expectation.now = now
            #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
        }
    }
}
