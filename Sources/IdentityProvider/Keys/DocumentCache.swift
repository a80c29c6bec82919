// SPDX-License-Identifier: Apache-2.0
import OAuth
import Storage
import Synchronization

/// The documents that an issuer publishes about itself. They follow from its address, and from
/// whether machines are to bring endorsement keys, so each is written once.
package final class DocumentCache: Sendable {
    private struct Documents {
        var metadata: [UInt8]
        var gatehouse: [UInt8]
    }

    private struct Key: Hashable {
        var issuer: String
        var asksForEndorsements: Bool
    }

    private let documents = Mutex<[Key: Documents]>([:])
    private static let capacity = 20_000

    package init() {}

    /// OpenID Connect Discovery 1.0 and RFC 8414: the same document at both places.
    package func metadata(of tenant: Tenant) -> [UInt8] { documents(of: tenant).metadata }

    /// `/.well-known/gatehouse`: everything that the other document has no name for.
    package func gatehouse(of tenant: Tenant) -> [UInt8] { documents(of: tenant).gatehouse }

    private func documents(of tenant: Tenant) -> Documents {
        let asks = tenant.project.policy.platformSSO.attestation.asksForEndorsements
        let key = Key(issuer: tenant.issuer, asksForEndorsements: asks)
        return documents.withLock { documents in
            if let found = documents[key] { return found }
            let made = Documents(
                metadata: ProviderMetadata(issuer: tenant.issuer).json,
                gatehouse: GatehouseDocument(issuer: tenant.issuer, asksForEndorsements: asks)
                    .json)
            if documents.count >= Self.capacity { documents.removeAll() }
            documents[key] = made
            return made
        }
    }
}
