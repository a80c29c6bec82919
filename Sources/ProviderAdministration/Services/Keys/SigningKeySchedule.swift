// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import ProviderCore
import Storage

/// Rotates the signing keys of all projects by schedule, and retires the rotated ones.
package struct SigningKeySchedule: Sendable {
    private let provider: Provider
    private let period: TimeSpan?

    /// - Parameter period: the age at which a key is rotated; `nil` for never.
    package init(_ provider: Provider, every period: TimeSpan?) {
        self.provider = provider
        self.period = period
    }

    /// Returns the number of changes.
    package func run() async throws -> Int {
        var (count, last) = (0, String?.none)
        while true {
            let page = try await provider.store.projects.projects(after: last, limit: 100)
            for project in page {
                count += try await run(Tenant(project: project, issuer: provider.issuer))
            }
            guard page.count == 100 else { return count }
            last = page.last?.name
        }
    }

    private func run(_ tenant: Tenant) async throws -> Int {
        var count = 0
        for algorithm in try await due(of: tenant) {
            let draft = draft("admin.key.rotate", in: tenant, "algorithm", algorithm.rawValue)
            let outcome = try await provider.recorded(draft) {
                try await provider.keys.rotate(algorithm, of: tenant, in: $0.signingKeys)
            }
            if outcome == .rotated { count += 1 }
        }
        for kid in try await provider.keys.dueRetirements(of: tenant) {
            let isRetired = try await provider.retireSigningKey(
                kid, of: tenant, recording: draft("admin.key.retire", in: tenant, "kid", kid))
            if isRetired { count += 1 }
        }
        return count
    }

    private func due(of tenant: Tenant) async throws -> [JWSAlgorithm] {
        guard let period else { return [] }
        return try await provider.keys.dueRotations(of: tenant, every: period)
    }

    private func draft(
        _ action: String, in tenant: Tenant, _ member: String, _ value: String
    ) -> AuditEventDraft {
        let facts = RequestMetadata(
            now: provider.clock.now, requestID: "schedule", address: "local")
        return AuditEventDraft(
            action, in: tenant.project.id, facts: facts,
            details: ([member: .string(value)] as JSONValue).text)
    }
}
