// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AttestationSupport
import Foundation
import JOSE
import Primitives
import Support
import Testing
import WebAuthn

@testable import gatehouse

@Suite("inspect metadata")
struct InspectMetadataTests {
    typealias Publisher = MetadataPublisher

    private let folder = TestFolder()
    private let publisher: Publisher
    /// A day before the BLOB of ``Publisher`` expires.
    private let now = ["--at", "2027-01-15T08:00:00Z", "--signer", Publisher.name]

    init() throws {
        publisher = try Publisher()
        try write("root.der", publisher.authority.root.der)
    }

    private func write(_ name: String, _ content: [UInt8]) throws {
        try Data(content).write(to: URL(filePath: folder.path(name)))
    }

    private func verdict(_ bytes: [UInt8], _ more: [String]) async throws -> JSONValue {
        let command = try InspectCommand.Metadata.parse(more)
        return try await command.inspection().verdict(on: bytes)
    }

    private func judged(_ bytes: [UInt8], _ more: String...) async throws -> JSONValue {
        try await verdict(bytes, ["--root", folder.path("root.der")] + now + more)
    }

    @Test("A good BLOB: number, date, certificates and entries are shown")
    func accepted() async throws {
        let verdict = try await judged(publisher.blob())
        let value = try #require(verdict["value"])
        #expect(verdict["code"]?.string == "ok" && value["verified"]?.bool == true)
        #expect(value["number"]?.integer == 7 && value["nextUpdate"]?.string == "2027-02-01")
        #expect(value["signer"]?.strings == [Publisher.name])
        #expect(value["certificates"]?.array?.count == 2)
        #expect(value["revocation"]?.string?.contains("--crl") == true)
        let entry = try #require(value["entries"]?.array?.first)
        #expect(entry["models"]?.strings == [Publisher.model])
        #expect(entry["name"]?.string == "Example Key")
        #expect(entry["refused"] == nil)
        #expect(InspectCommand.Options.exitCode(of: verdict) == 0)
    }

    @Test("Without a root nothing is accepted, and the entries are shown as not verified")
    func noRoot() async throws {
        let verdict = try await verdict(publisher.blob(), now)
        #expect(verdict["code"]?.string == "metadata_chain_untrusted")
        #expect(verdict["reason"]?.string?.contains("--root") == true)
        #expect(verdict["value"]?["verified"]?.bool == false)
        #expect(verdict["value"]?["entries"]?.array?.count == 1)
        #expect(InspectCommand.Options.exitCode(of: verdict) == 1)
    }

    @Test("The verification is that of serve: signature, signer, revocation, dates")
    func policy() async throws {
        let good = try publisher.blob()
        let stranger = try Publisher().blob()
        #expect(try await judged(stranger)["code"]?.string == "metadata_chain_untrusted")
        let root = ["--root", folder.path("root.der"), "--at", "2027-01-15"]
        #expect(try await verdict(good, root)["code"]?.string == "metadata_signer_unknown")
        let list = try Publisher.list(
            by: publisher.authority.root, revoking: [publisher.authority.intermediate.serialNumber])
        try write("list.crl", list)
        let revoked = try await judged(good, "--crl", folder.path("list.crl"))
        #expect(revoked["code"]?.string == "metadata_certificate_revoked")
        let unknown = try await judged(good, "--crl-required")
        #expect(unknown["code"]?.string == "metadata_revocation_unknown")
        var broken = good
        broken[broken.count - 4] = broken[broken.count - 4] == 0x41 ? 0x42 : 0x41
        #expect(try await judged(broken)["code"]?.string == "metadata_signature_invalid")
    }

    @Test("An overdue BLOB is warned of within the grace, and refused after it")
    func overdue() async throws {
        let blob = try publisher.blob(Publisher.payload(nextUpdate: "2027-01-10"))
        let warned = try await judged(blob)
        #expect(warned["code"]?.string == "ok")
        #expect(warned["value"]?["warnings"]?.strings?.contains("the next BLOB is overdue") == true)
        let refused = try await judged(blob, "--grace-days", "1")
        #expect(refused["code"]?.string == "metadata_outdated")
    }

    @Test("Each entry says what is wrong with it")
    func entries() async throws {
        var statement = Publisher.statement()
        statement["attestationRootCertificates"] = ["AAAA"]
        statement["authenticationAlgorithms"] = ["made_up"]
        let reports: [JSONValue] = [
            ["status": "REVOKED", "effectiveDate": "2026-05-01"], ["status": "SOMETHING_NEW"],
        ]
        let blob = try publisher.blob(
            Publisher.payload(entries: [
                Publisher.entry(reports: reports, statement: statement), Publisher.entry(),
                ["statusReports": [], "aaguid": "x"],
            ]))
        let entries = try #require(try await judged(blob)["value"]?["entries"]?.array)
        #expect(entries.count == 3)
        #expect(entries[0]["refused"]?.string == "REVOKED")
        let warnings = entries[0]["warnings"]?.strings?.joined(separator: "; ") ?? ""
        for part in ["same model", "SOMETHING_NEW", "cannot be read: 1", "algorithms"] {
            #expect(warnings.contains(part), "\(part) in \(warnings)")
        }
        #expect(entries[2]["warnings"]?.strings?.first?.contains("aaguid") == true)
    }

    @Test("What is no BLOB, and options that say nothing, are bad input")
    func badInput() async throws {
        let verdict = try await judged(Array("hello".utf8))
        #expect(verdict["code"]?.string == "metadata_malformed")
        #expect(InspectCommand.Options.exitCode(of: verdict) == 2)
        for arguments in [
            ["--root", folder.path("none.pem")], ["--at", "yesterday"], ["--grace-days", "-1"],
        ] {
            #expect(throws: (any Error).self) {
                try InspectCommand.Metadata.parse(arguments).inspection()
            }
        }
    }
}
