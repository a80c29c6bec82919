// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage

/// The sealed form of a pending request. It is not stored, because unauthenticated clients can send
/// an unlimited number of requests: the browser carries it. The response consumes its identifier,
/// so that no second window can respond to it.
extension PendingAuthorization {
    /// Maximum length of the parameters as JSON. With the other data they fit into a handle.
    static let maximumParametersLength = 5000

    /// The value for the hidden field of the page or for `?continue=`. Each state of a request has
    /// another handle; one response consumes all of them.
    func handle(in provider: Provider, of tenant: Tenant) throws -> String {
        Base64URL.encode(
            try provider.secrets.lend(
                payload, context: Self.sealing(tenant), random: provider.random))
    }

    /// Returns `nil` if the handle is invalid, expired, or of another project.
    init?(handle: String, in provider: Provider, of tenant: Tenant, now: Timestamp) {
        guard handle.utf8.count <= Interaction.maximumHandleLength,
            let sealed = Base64URL.decode(handle),
            let opened = provider.secrets.openLent(sealed, context: Self.sealing(tenant)),
            let pending = PendingAuthorization(payload: opened), now < pending.expiresAt
        else { return nil }
        self = pending
    }

    var expiresAt: Timestamp { startedAt + Self.lifetime }

    /// The identifier that the response consumes.
    var mark: OneTimeIdentifier { OneTimeIdentifier(.authorizationRequest, key: id) }

    private static func sealing(_ tenant: Tenant) -> String {
        "authorization/\(tenant.project.id)"
    }
}
