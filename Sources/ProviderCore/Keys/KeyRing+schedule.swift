// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
import Storage

/// Rotations that are due. The store decides each of them in one transaction, so a key is rotated
/// once, however many processes have the schedule.
extension KeyRing {
    /// How long a key is published before it signs, and longer than relying parties cache a JWK
    /// set.
    package static let publication = TimeSpan.hours(24)
    /// How long a rotated key is published, and longer than any token that it signed is active.
    package static let retention = TimeSpan.days(30)

    /// The algorithms whose active key is older than `period` and whose next key is known to relying
    /// parties.
    package func dueRotations(
        of tenant: Tenant, every period: TimeSpan
    ) async throws -> [JWSAlgorithm] {
        let keys = try await stored(of: tenant)
        return keys.filter { $0.state == .active && $0.changedAt + period <= clock.now }
            .compactMap { JWSAlgorithm(exactly: $0.algorithm) }
            .filter { algorithm in
                keys.next(algorithm).map { keys.publicationEnd(of: $0) <= clock.now } ?? false
            }
    }

    /// The `kid` of each key that was rotated so long ago that no token needs it.
    package func dueRetirements(of tenant: Tenant) async throws -> [String] {
        try await stored(of: tenant).filter { $0.isPast(clock.now) }.map(\.kid)
    }

    func stored(of tenant: Tenant) async throws -> [SigningKey] {
        try await store.signingKeys(of: tenant.project.id)
    }
}
