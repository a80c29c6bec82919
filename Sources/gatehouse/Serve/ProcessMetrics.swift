// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import HTTPServer
import PasswordHashing
import Platform
import Primitives
import ProviderCore
import Storage

/// What is read when metrics are asked for: hashing, keys, memory.
struct ProcessMetrics: Sendable {
    private let provider: Provider

    private let commits: CommitCounter

    init(_ provider: Provider, commits: CommitCounter) {
        self.provider = provider
        self.commits = commits
    }

    func add(to metrics: Metrics) {
        let passwords = provider.passwords
        metrics.addGauge("gatehouse_hash_waiting", "Passwords that wait for a thread.") {
            Double(passwords.load.waiting)
        }
        metrics.addGauge("gatehouse_hash_running", "Passwords being hashed.") {
            Double(passwords.load.running)
        }
        metrics.addGauge(
            "gatehouse_hash_refused_total", "Passwords refused because too many waited.",
            kind: .counter
        ) { Double(passwords.load.refused) }
        metrics.addAvailability(provider.availability)
        let commits = commits
        metrics.addGauge(
            "gatehouse_store_commits_total", "Durable commits of the embedded store.",
            kind: .counter
        ) { Double(commits.commits) }
        metrics.addGauge(
            "gatehouse_store_writes_total", "Writes in them: their quotient is the batch size.",
            kind: .counter
        ) { Double(commits.writes) }
        metrics.addHistogram(
            "gatehouse_store_batch_writes", "Writes that shared one commit of the embedded store."
        ) {
            Metrics.Distribution(
                buckets: zip(CommitCounter.bounds, commits.buckets).map { ($0, $1) },
                sum: commits.writes, count: commits.commits)
        }
        let provider = provider
        metrics.addGauge(
            "gatehouse_signing_key_age_seconds", "Age of the active key of the default project."
        ) { try? await Self.keyAge(provider) }
        metrics.addGauge("process_resident_memory_bytes", "Memory in use.") {
            Self.residentMemory()
        }
    }

    private static func keyAge(_ provider: Provider) async throws -> Double? {
        // A page of metrics does not wait for a database that does not respond.
        guard await provider.availability.check(),
            let tenant = try await provider.tenant(named: "default")
        else { return nil }
        let active = try await provider.store.signingKeys.signingKeys(of: tenant.project.id)
            .first { $0.state == .active && $0.algorithm == "ES256" }
        return active.map { Double((provider.clock.now - $0.changedAt).seconds) }
    }

    /// Second field of `/proc/self/statm`, in pages; `nil` where there is no such file.
    private static func residentMemory() -> Double? {
        guard let content = try? SecretFile.read("/proc/self/statm") else { return nil }
        let fields = String(decoding: content, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Double(fields[1]) else { return nil }
        return pages * Double(Machine.pageSize)
    }
}
