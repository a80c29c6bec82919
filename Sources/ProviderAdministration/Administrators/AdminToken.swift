// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
import Synchronization

/// The bearer token of the Admin API. Only its keyed hash is kept in memory.
package final class AdminToken: Sendable {
    /// Puts a new token where operators find it, and returns when it is there.
    package typealias Save = @Sendable (Secret) async throws -> Void

    private let secrets: DerivedKeys
    private let hash: Mutex<[UInt8]>
    private let save: Save

    package init(_ token: Secret, secrets: DerivedKeys, save: @escaping Save) {
        self.secrets = secrets
        self.save = save
        hash = Mutex(secrets.hash(token.reveal(), for: .adminToken))
    }

    /// A new token: `gha_` and 256 bits, so that scanners of leaked secrets can tell what it is.
    package static func generate(_ random: some RandomSource) -> Secret {
        Secret("gha_" + Base64URL.encode(random.bytes(32)))
    }

    /// Constant time: hashes of equal length are compared.
    package func matches(_ presented: String) -> Bool {
        let presentedHash = secrets.hash(presented.utf8, for: .adminToken)
        return hash.withLock { ConstantTime.equal($0, presentedHash) }
    }

    /// Replaces the token; the old one is refused from now on.
    package func rotate(_ random: some RandomSource) async throws -> Secret {
        let token = Self.generate(random)
        try await save(token)
        hash.withLock { $0 = secrets.hash(token.reveal(), for: .adminToken) }
        return token
    }
}
