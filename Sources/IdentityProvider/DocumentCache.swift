// SPDX-License-Identifier: Apache-2.0
import OAuth
package import ProviderCore
import ProviderDevices
import Storage
import Synchronization

/// The metadata documents of issuers. A document depends only on the issuer's URL, on whether
/// devices send endorsement keys and on the registration methods, so it is built once and cached.
package final class DocumentCache: Sendable {
    private struct Documents {
        var metadata: [UInt8]
        var gatehouse: [UInt8]
    }

    private struct Key: Hashable {
        var issuer: String
        var asksForEndorsements: Bool
        var methods: [String]
    }

    private let documents = Mutex<[Key: Documents]>([:])
    private static let capacity = 20_000

    package init() {}

    /// OpenID Connect Discovery 1.0 and RFC 8414: the same document at both URLs.
    package func metadata(of tenant: Tenant) -> [UInt8] { documents(of: tenant).metadata }

    /// `/.well-known/gatehouse`: the endpoints for which the standard metadata have no name.
    package func gatehouse(of tenant: Tenant) -> [UInt8] { documents(of: tenant).gatehouse }

    private func documents(of tenant: Tenant) -> Documents {
        let asks = tenant.project.policy.platformSSO.attestation.asksForEndorsements
        let methods = tenant.project.policy.registration.methods
        let key = Key(issuer: tenant.issuer, asksForEndorsements: asks, methods: methods)
        return documents.withLock { documents in
            if let found = documents[key] { return found }
            let made = Documents(
                metadata: ProviderMetadata(issuer: tenant.issuer).json,
                gatehouse: GatehouseDocument(
                    issuer: tenant.issuer, asksForEndorsements: asks, methods: methods
                ).json)
            if documents.count >= Self.capacity { documents.removeAll() }
            documents[key] = made
            return made
        }
    }
}

extension Provider {
    package var documents: DocumentCache { component { DocumentCache() } }
}
