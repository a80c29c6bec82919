// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
package import ProviderAdministration
package import ProviderCore

/// The Admin API, `/admin/v1`: everything that an operator can do, as JSON under a bearer token.
package struct AdminAPI: HTTPRouteGroup {
    static let prefix = "/admin/v1"

    let gate: AdminRequestGuard
    let notices: any NotificationComposer
    let backups: BackupDirectory?

    /// - Parameters:
    ///   - notices: words for what people are told by mail of what was done for them.
    ///   - backups: where `store/backup` puts its files; without one it refuses.
    package init(
        _ provider: Provider, token: AdminToken, notices: any NotificationComposer,
        backups: BackupDirectory? = nil
    ) {
        gate = AdminRequestGuard(provider: provider, token: token)
        self.notices = notices
        self.backups = backups
    }

    package func routes() -> [HTTPRoute] {
        let document = OpenAPIDocument(
            title: "Gatehouse Admin API",
            address: IssuerAddress(provider.issuer).path + Self.prefix,
            operations: endpoints.map(\.documented), schemas: AdminSchemas.all
        ).bytes
        let description = HTTPRoute(.get, Self.prefix + "/openapi.json") { _ in
            .publicJSON(document, seconds: 300)
        }
        return [description] + endpoints.map(gate.route)
    }

    var provider: Provider { gate.provider }

    package var endpoints: [AdminEndpoint] {
        AdministrativeOperation.allCases.map { AdminEndpoint($0, run: handler(of: $0)) }
    }
}
