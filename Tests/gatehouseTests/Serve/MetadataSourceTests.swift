// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CommandLineSupport
import Foundation
import Logging
import Primitives
import Support
import Testing
import WebAuthn

@testable import gatehouse

/// Metadata of authenticators as `serve` gets them: from files and over real sockets.
@Suite struct MetadataSourceTests {
    typealias Publisher = MetadataPublisher

    private let folder = TestFolder()
    private let publisher: Publisher
    private let clock = ManualClock(Publisher.now)

    init() throws {
        publisher = try Publisher()
        try write("root.pem", Self.pem("CERTIFICATE", try publisher.authority.root.der))
    }

    // MARK: Files

    @Test("A file is read again and again; what it said last is kept in the data directory")
    func file() async throws {
        let (_, refresh) = try source(folder.path("blob.jwt"))
        try write("blob.jwt", try blob(5))
        #expect(await refresh.refresh() == .replaced(5))
        #expect(await refresh.refresh() == .unchanged)
        let newest = try blob(6)
        try write("blob.jwt", newest)
        #expect(await refresh.refresh() == .replaced(6))
        #expect(FileManager.default.contents(atPath: folder.path("kept.jwt")) == Data(newest))
    }

    @Test("A file that is missing or older removes nothing")
    func fileGone() async throws {
        let (_, refresh) = try source(folder.path("blob.jwt"))
        try write("blob.jwt", try blob(5))
        #expect(await refresh.refresh() == .replaced(5))
        try FileManager.default.removeItem(atPath: folder.path("blob.jwt"))
        #expect(await isFailed(refresh.refresh()))
        try write("blob.jwt", try blob(4))
        #expect(await refresh.refresh() == .refused(MetadataRefusal(.rolledBack, "")))
        #expect(await refresh.store?.number == 5)
    }

    // MARK: Over HTTP

    @Test("A URL is asked with the tag of the last answer, and an unchanged list is not sent again")
    func url() async throws {
        let host = try await MetadataHost()
        let (_, refresh) = try source(host.address)
        host.serve(try blob(5))
        #expect(await refresh.refresh() == .replaced(5))
        #expect(await refresh.refresh() == .unchanged)
        host.serve(try blob(6))
        #expect(await refresh.refresh() == .replaced(6))
        #expect(host.known.map(\.isEmpty) == [true, false, false])
        try await host.stop()
    }

    @Test("An outage of the service leaves what was there, and the service is asked again after it")
    func outage() async throws {
        let host = try await MetadataHost()
        let (_, refresh) = try source(host.address)
        host.serve(try blob(5))
        #expect(await refresh.refresh() == .replaced(5))
        for status in [500, 503, 404, 301] {
            host.serve([], status: status)
            #expect(await isFailed(refresh.refresh()), "\(status)")
        }
        #expect(await trust(refresh)?.name == "Example Key")
        host.serve(try blob(6))
        #expect(await refresh.refresh() == .replaced(6))
        try await host.stop()
        #expect(await isFailed(refresh.refresh()))
        #expect(await refresh.store?.number == 6)
    }

    @Test(
        "Attack 24: an older list and one of another signer are refused, and no tag is stored for them"
    )
    func rollBack() async throws {
        let host = try await MetadataHost()
        let (_, refresh) = try source(host.address)
        host.serve(try blob(5))
        #expect(await refresh.refresh() == .replaced(5))
        host.serve(try blob(4))
        #expect(await refresh.refresh() == .refused(MetadataRefusal(.rolledBack, "")))
        host.serve(try Publisher().blob(Publisher.payload(number: 9)))
        #expect(await refresh.refresh() == .refused(MetadataRefusal(.chainUntrusted, "")))
        #expect(await refresh.refresh() == .refused(MetadataRefusal(.chainUntrusted, "")))
        #expect(await refresh.store?.number == 5)
        #expect(host.known.map(\.isEmpty) == [true, false, true, true])
        try await host.stop()
    }

    // MARK: Across restarts, and as time goes by

    @Test("A restart during an outage knows as much, and cannot be rolled back behind")
    func restart() async throws {
        let host = try await MetadataHost()
        host.serve(try blob(5))
        let (_, first) = try source(host.address)
        #expect(await first.refresh() == .replaced(5))
        host.serve([], status: 503)
        let (again, refresh) = try source(host.address)
        await again.restore(refresh)
        #expect(await refresh.store?.number == 5)
        #expect(await isFailed(refresh.refresh()))
        host.serve(try blob(4))
        #expect(await refresh.refresh() == .refused(MetadataRefusal(.rolledBack, "")))
        try await host.stop()
    }

    @Test("A stored copy that was overwritten is not accepted")
    func forgedCopy() async throws {
        try write("kept.jwt", try Publisher().blob(Publisher.payload(number: 99)))
        let (again, refresh) = try source(folder.path("blob.jwt"))
        await again.restore(refresh)
        #expect(await refresh.store == nil)
    }

    @Test("Overdue metadata are used until the grace period ends; then no model is trusted")
    func grace() async throws {
        let (_, refresh) = try source(folder.path("blob.jwt")) { $0.grace = .days(30) }
        try write("blob.jwt", try blob(5))
        #expect(await refresh.refresh() == .replaced(5))
        let due = try #require(await refresh.store?.nextUpdate)
        clock.advance(by: due - clock.now)
        clock.advance(by: .days(30))
        #expect(await trust(refresh)?.refusal == nil)
        clock.advance(by: .seconds(1))
        #expect(await trust(refresh)?.refusal?.contains("out of date") == true)
        // A source without earlier metadata does not accept it either.
        let (_, late) = try source(folder.path("blob.jwt")) { $0.grace = .days(30) }
        #expect(await late.refresh() == .refused(MetadataRefusal(.outdated, "")))
        // The next one ends it.
        try write(
            "blob.jwt",
            try publisher.blob(
                Publisher.payload(number: 6, nextUpdate: "2027-04-01")))
        #expect(await refresh.refresh() == .replaced(6))
        #expect(await trust(refresh)?.refusal == nil)
    }

    // MARK: Revocation

    @Test("A revocation list is read each time: its entries are refused from then on")
    func revoked() async throws {
        let authority = publisher.authority
        try write("list.crl", try Publisher.list(by: authority.root))
        let (_, refresh) = try source(folder.path("blob.jwt")) {
            $0.revocationLists = [folder.path("list.crl")]
        }
        try write("blob.jwt", try blob(5))
        #expect(await refresh.refresh() == .replaced(5))
        let list = try Publisher.list(
            by: authority.root, revoking: [authority.intermediate.serialNumber])
        try write("list.crl", Self.pem("X509 CRL", list))
        try write("blob.jwt", try blob(6))
        #expect(await refresh.refresh() == .refused(MetadataRefusal(.certificateRevoked, "")))
        #expect(await refresh.store?.number == 5)
    }

    @Test("Where lists are required, certificates that none covers are refused")
    func revocationRequired() async throws {
        let authority = publisher.authority
        try write("root.crl", try Publisher.list(by: authority.root))
        try write("blob.jwt", try blob(5))
        var paths = [folder.path("root.crl")]
        let (_, half) = try source(folder.path("blob.jwt")) {
            $0.revocationLists = paths
            $0.needsRevocationLists = true
        }
        #expect(await half.refresh() == .refused(MetadataRefusal(.revocationUnknown, "")))
        try write("intermediate.crl", try Publisher.list(by: authority.intermediate))
        paths.append(folder.path("intermediate.crl"))
        let (_, both) = try source(folder.path("blob.jwt")) {
            $0.revocationLists = paths
            $0.needsRevocationLists = true
        }
        #expect(await both.refresh() == .replaced(5))
        // A renewal that went wrong refuses; nothing is assumed.
        try write("intermediate.crl", [0x30, 0x00])
        try write("blob.jwt", try blob(6))
        #expect(await isFailed(both.refresh()))
        #expect(await both.store?.number == 5)
    }

    @Test("Files that are missing, empty or broken end the start with their name")
    func mistakes() throws {
        try write("empty.pem", [])
        try write("broken.pem", Self.pem("CERTIFICATE", [0x30, 0x03, 1, 2, 3]))
        for name in ["none.pem", "empty.pem", "broken.pem"] {
            let error = #expect(throws: CommandError.self) {
                _ = try source("blob.jwt") { $0.roots = folder.path(name) }
            }
            #expect(error?.description.contains(name) == true && error?.code == .badInput)
        }
        try write("broken.crl", [0x30, 0x00])
        for (name, part) in [
            ("none.crl", "none.crl"), ("empty.pem", "empty.pem"),
            ("broken.crl", "metadata-crl"),
        ] {
            let error = #expect(throws: CommandError.self) {
                _ = try source("blob.jwt") { $0.revocationLists = [folder.path(name)] }
            }
            #expect(error?.description.contains(part) == true && error?.code == .badInput)
        }
    }

    // MARK: Test support

    private func source(
        _ place: String, _ change: (inout ServeConfiguration.Metadata) -> Void = { _ in }
    ) throws -> (MetadataSource, MetadataRefresh) {
        var settings = ServeConfiguration.Metadata(
            place: place, roots: folder.path("root.pem"), signer: Publisher.name)
        change(&settings)
        let source = MetadataSource(
            settings, keptAt: folder.path("kept.jwt"),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return (source, try source.makeRefresh(clock: clock))
    }

    private func blob(_ number: Int64) throws -> [UInt8] {
        try publisher.blob(Publisher.payload(number: number))
    }

    private func write(_ name: String, _ content: [UInt8]) throws {
        try Data(content).write(to: URL(filePath: folder.path(name)))
    }

    private func isFailed(_ outcome: MetadataRefresh.Outcome) -> Bool {
        if case .failed = outcome { true } else { false }
    }

    private func trust(_ refresh: MetadataRefresh) async -> AuthenticatorTrust? {
        guard let model = AAGUID(Publisher.model) else { return nil }
        return await refresh.snapshot()?.statement(for: .aaguid(model))
    }

    private static func pem(_ label: String, _ der: [UInt8]) -> [UInt8] {
        let text = Data(der).base64EncodedString(options: .lineLength64Characters)
        return Array("-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n".utf8)
    }
}
