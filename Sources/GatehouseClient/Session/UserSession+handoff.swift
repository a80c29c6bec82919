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
    /// The page. Open it in a browser of the system, at once. If the browser has no session, the
    /// provider asks the person to confirm the account. The first browser that opens it is signed
    /// in: do not display or log it.
    public let url: URL
    /// The expiry of the URL, by this device's clock.
    public let expiresAt: Date
}

extension UserSession {
    /// Returns a URL that signs this person in to a browser and leads to `target`. The assurance
    /// and time of this session's authentication apply there.
    ///
    /// - Parameter target: A registered URL of the app's client (`web_handoff_uris`), with any
    ///   query.
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
            else { throw ProviderConnection.invalid("the URL of the hand-off is incomplete") }
            let seconds = min(max(lifetime, 0), 3600)
            return WebHandoff(url: url, expiresAt: (sentAt + .seconds(seconds)).date)
        }
    }
}
