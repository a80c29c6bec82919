// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
import Storage

/// The active resources that an administrator created. They belong to projects and stay when the
/// administrator leaves. The list shows a successor what there is.
package struct OwnedResources: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case apiToken = "api-token"
        case testKey = "test-key"
        case issuerKey = "issuer-key"
        case signingFingerprint = "signing-fingerprint"
        case registrationToken = "registration-token"
    }

    package struct Item: Sendable, Equatable {
        package var project: String
        package var kind: Kind
        /// The identifier for its removal.
        package var id: String
        package var name: String

        /// Unique among all items.
        package var key: String { "\(project)/\(kind.rawValue)/\(id)" }
    }

    private static let page = 500

    private let store: any ProviderStore
    private let now: Timestamp

    package init(_ provider: Provider, now: Timestamp) {
        store = provider.store
        self.now = now
    }

    /// - Parameter username: of a person who may no longer exist.
    package func all(of username: String) async throws -> [Item] {
        var items: [Item] = []
        var last: String?
        repeat {
            let projects = try await store.projects.projects(after: last, limit: Self.page)
            for project in projects { items += try await things(of: username, in: project) }
            last = projects.count == Self.page ? projects.last?.name : nil
        } while last != nil
        return items
    }

    private func things(of username: String, in project: Project) async throws -> [Item] {
        func item(_ kind: Kind, _ id: String, _ name: String) -> Item {
            Item(project: project.name, kind: kind, id: id, name: name)
        }
        var items = project.policy.registration.android.applications
            .filter { $0.owner == username }
            .map { item(.signingFingerprint, $0.name, $0.name) }
        for (key, kind) in [(IssuerKey.Kind.test, Kind.testKey), (.federation, .issuerKey)] {
            items += try await store.issuerKeys.issuerKeys(of: project.id, kind: key)
                .filter { $0.settings.owner == username }
                .map { key in
                    item(kind, kind == .testKey ? key.kid : key.id.description, key.settings.name)
                }
        }
        items += try await every(\.id) {
            try await store.apiTokens.apiTokens(of: project.id, after: $0, limit: Self.page)
        }
        .filter { $0.makerName == username && $0.isGood(at: now) }
        .map { item(.apiToken, $0.id.description, $0.name) }
        items += try await every(\.id) {
            try await store.devices.deviceTokens(of: project.id, after: $0, limit: Self.page)
        }
        .filter { $0.owner == username && $0.state(at: now) == .active }
        .map { item(.registrationToken, $0.id.description, $0.label) }
        return items
    }

    private func every<Record>(
        _ id: KeyPath<Record, Identifier<Record>>,
        _ read: (Identifier<Record>?) async throws -> [Record]
    ) async throws -> [Record] {
        var found: [Record] = []
        var last: Identifier<Record>?
        repeat {
            let page = try await read(last)
            found += page
            last = page.count == Self.page ? page.last?[keyPath: id] : nil
        } while last != nil
        return found
    }
}
