// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Primitives
import Synchronization
import Testing
import WebAuthn

/// Metadata are kept fresh, and kept through outages and nonsense.
@Suite struct MetadataRefreshTests {
    typealias Publisher = MetadataPublisher

    struct FixedClock: WallClock {
        let now = Publisher.now
    }

    struct Away: Error {}

    /// A source whose answers are laid down beforehand.
    final class Source: Sendable {
        let answers: Mutex<[Result<MetadataRefresh.Fetched, Away>]>
        let kept = Mutex<[[UInt8]]>([])

        init(_ answers: [Result<MetadataRefresh.Fetched, Away>]) {
            self.answers = Mutex(answers)
        }

        func fetch() throws -> MetadataRefresh.Fetched {
            let next = answers.withLock { $0.isEmpty ? .failure(Away()) : $0.removeFirst() }
            return try next.get()
        }
    }

    private func refresh(_ publisher: Publisher, _ source: Source) throws -> MetadataRefresh {
        let verifier = try publisher.verifier()
        return MetadataRefresh(
            verifier: { verifier }, clock: FixedClock(), fetch: { try source.fetch() },
            save: { bytes in source.kept.withLock { $0.append(bytes) } })
    }

    @Test("A newer BLOB replaces the one before and is kept; the same and an older one are not")
    func replaces() async throws {
        let publisher = try Publisher()
        let blobs = try [5, 6, 6, 4].map { try publisher.blob(Publisher.payload(number: $0)) }
        let source = Source(blobs.map { .success(.blob($0)) } + [.success(.unchanged)])
        let refresh = try refresh(publisher, source)
        #expect(await refresh.refresh() == .replaced(5))
        #expect(await refresh.refresh() == .replaced(6))
        #expect(await refresh.refresh() == .unchanged)
        #expect(await refresh.refresh() == .refused(MetadataRefusal(.rolledBack, "")))
        #expect(await refresh.refresh() == .unchanged)
        #expect(await refresh.store?.number == 6)
        #expect(source.kept.withLock { $0 } == Array(blobs.prefix(2)))
    }

    @Test("An outage and a forgery leave what was there")
    func outage() async throws {
        let publisher = try Publisher()
        let good = try publisher.blob()
        let forged = try Publisher().blob(Publisher.payload(number: 99))
        let source = Source([.success(.blob(good)), .failure(Away()), .success(.blob(forged))])
        let refresh = try refresh(publisher, source)
        #expect(await refresh.refresh() == .replaced(7))
        guard case .failed = await refresh.refresh() else {
            Issue.record("an outage must be told")
            return
        }
        #expect(await refresh.refresh() == .refused(MetadataRefusal(.chainUntrusted, "")))
        #expect(await refresh.store?.number == 7)
        let model = AuthenticatorModel.aaguid(try #require(AAGUID(Publisher.model)))
        #expect(await refresh.snapshot()?.statement(for: model)?.name == "Example Key")
    }

    @Test("What was kept is verified again, and cannot be rolled back behind")
    func restart() async throws {
        let publisher = try Publisher()
        let old = try publisher.blob(Publisher.payload(number: 3))
        let refresh = try refresh(publisher, Source([.success(.blob(old))]))
        let kept = try publisher.blob(Publisher.payload(number: 4))
        let forged = try Publisher().blob()
        #expect(await refresh.load(kept: forged) == .refused(MetadataRefusal(.chainUntrusted, "")))
        #expect(await refresh.load(kept: kept) == .replaced(4))
        #expect(await refresh.refresh() == .refused(MetadataRefusal(.rolledBack, "")))
    }

    @Test("A verifier that cannot be had is a failure; a revocation list that is broken, a refusal")
    func verifier() async throws {
        let publisher = try Publisher()
        let blob = try publisher.blob()
        let outcomes: [any Error] = [Away(), MetadataRefusal(.revocationListInvalid, "list 0")]
        let errors = Mutex(outcomes)
        let verifier = try publisher.verifier()
        let refresh = MetadataRefresh(
            verifier: {
                let error = errors.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if let error { throw error }
                return verifier
            }, clock: FixedClock(), fetch: { .blob(blob) })
        #expect(await refresh.refresh() == .failed("Away()"))
        #expect(await refresh.refresh() == .refused(MetadataRefusal(.revocationListInvalid, "")))
        #expect(await refresh.refresh() == .replaced(7))
    }

    @Test("The loop waits long after success and shortly after failure, and ends when cancelled")
    func loop() async throws {
        let publisher = try Publisher()
        let refresh = try refresh(publisher, Source([.success(.blob(try publisher.blob()))]))
        let pauses = Mutex<[TimeSpan]>([])
        await refresh.run { pause in
            let count = pauses.withLock {
                $0.append(pause)
                return $0.count
            }
            if count == 2 { throw CancellationError() }
        }
        #expect(pauses.withLock { $0 } == [.hours(6), .minutes(15)])
    }
}
