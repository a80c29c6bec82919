// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An address that signs the person in to a browser, once.
public struct WebHandoff: Sendable, Hashable {
    /// Open it in a browser of the system, at once. Where nobody is signed in there, the provider asks
    /// whose account it is. Whoever opens it first has it: show it to nobody, and log it nowhere.
    public let url: URL
    /// When it stops working, by this machine's clock.
    public let expiresAt: Date
}

extension UserSession {
    /// From the app to the web: an address that signs this person in to a browser and leads to
    /// `target`. How strongly they have shown themselves here, and when, counts there.
    ///
    /// - Parameter target: One of those that are registered for the app's client
    ///   (`web_handoff_uris`), with whatever query.
    /// - Throws: ``IdentityError/Code/webTargetRefused`` for any other, and
    ///   ``IdentityError/Code/notSignedIn``.
    public nonisolated func webHandoff(to target: URL) async throws -> WebHandoff {
        try await IdentityError.surfacing(.webHandoff) {
            let connection = renewal.connection
            let sentAt = connection.clock.now
            let made: JSONObject
            do {
                made = try await object(
                    "POST", "web_handoff", ["target": .string(target.absoluteString)],
                    in: .webHandoff)
            } catch let error as IdentityError
                where error.code == .notSignedIn && error.domain != .webHandoff
            {
                throw IdentityError(.webHandoff, .notSignedIn, error.reason)
            }
            guard let text = made["url"]?.string, let lifetime = made["expires_in"]?.integer,
                text.hasPrefix(connection.configuration.issuer + "/"), let url = URL(string: text)
            else { throw ProviderConnection.invalid("the address to the web is incomplete") }
            let seconds = min(max(lifetime, 0), 3600)
            return WebHandoff(url: url, expiresAt: (sentAt + .seconds(seconds)).date)
        }
    }
}
