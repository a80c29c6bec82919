// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
package import Storage

/// When relying parties know a key of a project.
extension [SigningKey] {
    package func next(_ algorithm: JWSAlgorithm) -> SigningKey? {
        first { $0.state == .next && $0.algorithm == algorithm.rawValue }
    }

    /// The time from which relying parties know a next key: each JWK set with the active key has it
    /// too, because both were created together; or it has been published for
    /// ``KeyRing/publication``.
    package func publicationEnd(of next: SigningKey) -> Timestamp {
        let isOfFirstPair = contains {
            $0.state == .active && $0.algorithm == next.algorithm && $0.createdAt >= next.createdAt
        }
        return isOfFirstPair ? next.createdAt : next.createdAt + KeyRing.publication
    }

    /// Whether no key of the project has been published for ``KeyRing/publication``.
    func isFirstDay(_ now: Timestamp) -> Bool {
        allSatisfy { $0.createdAt + KeyRing.publication > now }
    }
}

extension SigningKey {
    /// The time at which a rotated key is no longer published; `nil` for other keys.
    var end: Timestamp? { state == .retiring ? changedAt + KeyRing.retention : nil }

    /// Whether it was rotated so long ago that no token needs it.
    func isPast(_ now: Timestamp) -> Bool { end.map { $0 <= now } ?? false }
}
