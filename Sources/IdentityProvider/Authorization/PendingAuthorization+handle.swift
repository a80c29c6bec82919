// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// A request that waits is no row: anyone may send one, so the browser carries it, sealed. Only an
/// answer leaves a mark, and by that mark no other window answers it again.
extension PendingAuthorization {
    /// Of the parameters, as JSON: with everything else that is remembered they fit into a handle.
    static let longestParameters = 5000

    /// For the page's hidden field or `?continue=`. One request has a handle for each state that it
    /// was in; all of them are used up by one answer.
    func handle(in provider: Provider, of tenant: Tenant) throws -> String {
        Base64URL.encode(
            try provider.secrets.lend(
                payload, context: Self.sealing(tenant), random: provider.random))
    }

    /// `nil` for what is not ours, of another project, or too old.
    init?(handle: String, in provider: Provider, of tenant: Tenant, now: Timestamp) {
        guard handle.utf8.count <= Interaction.longestHandle,
            let sealed = Base64URL.decode(handle),
            let opened = provider.secrets.takeBack(sealed, context: Self.sealing(tenant)),
            let pending = PendingAuthorization(payload: opened), now < pending.expiresAt
        else { return nil }
        self = pending
    }

    var expiresAt: Timestamp { startedAt + Self.lifetime }

    /// Made by the answer.
    var mark: OneTimeIdentifier { OneTimeIdentifier(.authorizationRequest, key: id) }

    private static func sealing(_ tenant: Tenant) -> String {
        "authorization/\(tenant.project.id)"
    }
}
