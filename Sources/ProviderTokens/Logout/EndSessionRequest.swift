// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import ProviderCore
import Storage

/// The validated parameters of RP-Initiated Logout, section 2.
struct EndSessionRequest: Sendable {
    let client: RegisteredClient?
    /// The redirect URL with `state`, or `nil` if the client has not registered it.
    let target: String?
    /// The URL that a known client sent and has not registered. The person is signed out anyway
    /// (section 2: the provider must not redirect), and the page states why it does not redirect.
    let unregistered: String?
    /// Whether the request had a redirect URL.
    let wantsRedirect: Bool
    /// The person and session of the hint.
    let subject: String?
    let session: String?
    /// Whether a valid hint proves that the request comes from the client.
    let isProven: Bool

    static func read(
        _ parameters: [String: String], tenant: Tenant, provider: Provider, now: Timestamp
    ) async throws -> Result<EndSessionRequest, Refusal> {
        func value(_ name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }
        var hint: IDTokenHint?
        if let text = value("id_token_hint") {
            hint = try await IDTokenHint.read(
                text, tenant: tenant, provider: provider, now: now)
            guard hint != nil else {
                return refuse("id_token_hint is not an ID token of this provider.")
            }
        }
        let clientID = value("client_id") ?? hint?.clientID
        guard hint == nil || hint?.clientID == clientID else {
            return refuse("client_id differs from the audience of id_token_hint.")
        }
        var client: RegisteredClient?
        if let clientID {
            client = try await provider.registeredClient(clientID, of: tenant)
            guard client != nil else { return refuse("client_id is not registered.") }
        }
        let uri = value("post_logout_redirect_uri")
        // Without a client the URL cannot be verified: the person is asked, and not redirected.
        let target = uri.flatMap { Self.target($0, state: value("state"), client: client) }
        return .success(
            EndSessionRequest(
                client: client, target: target,
                unregistered: target == nil && client != nil ? uri : nil,
                wantsRedirect: uri != nil, subject: hint?.subject,
                session: hint?.session,
                isProven: hint != nil && client?.client.disabled == false))
    }

    /// Returns the URL with `state` if it equals a registered one, or `nil`.
    private static func target(
        _ uri: String, state: String?, client: RegisteredClient?
    ) -> String? {
        let registered = (client?.client.metadata.postLogoutRedirectURIs ?? [])
            .compactMap { RedirectURI($0) }
        guard let address = RedirectURI.match(uri, among: registered) else { return nil }
        guard let state else { return address.text }
        let separator = address.text.contains("?") ? "&" : "?"
        return address.text + separator + FormEncoding.encode([(name: "state", value: state)])
    }

    private static func refuse(_ message: String) -> Result<EndSessionRequest, Refusal> {
        .failure(.invalidRequest(message))
    }
}
