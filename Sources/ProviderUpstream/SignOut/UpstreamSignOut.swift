// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
package import Primitives
package import ProviderCore
package import Storage

/// Redirects a person who has signed out to their upstream provider, to sign out there too (OpenID
/// Connect RP-Initiated Logout 1.0).
package struct UpstreamSignOut: Sendable {
    private let provider: Provider
    private let tenant: Tenant
    private let now: Timestamp

    package init(_ provider: Provider, _ tenant: Tenant, now: Timestamp) {
        (self.provider, self.tenant, self.now) = (provider, tenant, now)
    }

    /// The URL to which the provider redirects back.
    package static func returnAddress(_ name: String, of tenant: Tenant) -> String {
        "\(tenant.issuer)/sign-out/with/\(name)"
    }

    /// Returns the provider and its sign-out URL, or `nil` if the provider is disabled,
    /// unreachable, or does not support it. The sign-out does not depend on the provider.
    ///
    /// - Parameter person: the person who has signed out. The hint must be of the same person.
    /// - Parameter state: the value that the provider returns.
    package func address(
        _ hint: UpstreamLogoutHint, person: Identifier<Person>, state: String?
    ) async throws -> (provider: UpstreamProvider, address: String)? {
        guard hint.person == person,
            let found = try await provider.store.upstreamProviders.upstreamProvider(
                named: hint.provider, in: tenant.project.id),
            found.isEnabled, found.settings.signsOut,
            case .success(let metadata) = await provider.upstreamDirectory.metadata(
                of: found, now: now),
            let endpoint = metadata.endSessionEndpoint?.text
        else { return nil }
        var parameters = [
            (name: "client_id", value: found.settings.clientID),
            (
                name: "post_logout_redirect_uri",
                value: Self.returnAddress(found.name, of: tenant)
            ),
        ]
        if let token = hint.idToken { parameters.append((name: "id_token_hint", value: token)) }
        if let state { parameters.append((name: "state", value: state)) }
        let separator = endpoint.contains("?") ? "&" : "?"
        return (found, endpoint + separator + FormEncoding.encode(parameters))
    }

    /// A person who has signed out, and the URL for the redirect afterwards.
    package struct Journey: Sendable, Equatable {
        package let person: Identifier<Person>
        /// The registered URL of the client that requested the sign-out; `nil` for a page of the
        /// provider.
        package let place: String?

        package init(person: Identifier<Person>, place: String?) {
            (self.person, self.place) = (person, place)
        }
    }

    /// The sealed value for `state`, because it returns through the browser. It is valid for one
    /// hour.
    package func state(of journey: Journey) throws -> String {
        var object = JSONObject()
        object["person"] = .string(journey.person.description)
        object["place"] = journey.place.map(JSONValue.string)
        object["until"] = .integer((now + .minutes(60)).milliseconds)
        return Base64URL.encode(
            try provider.secrets.seal(Secret(object.json.bytes), context: stateContext))
    }

    /// Opens a value of ``state(of:)``. Returns `nil` if it is invalid or expired.
    package func journey(in state: String?) -> Journey? {
        guard let state, state.utf8.count <= 8192, let bytes = Base64URL.decode(state),
            let opened = try? provider.secrets.open(bytes, context: stateContext),
            let object = try? JSONParser.parseObject(opened.reveal(), maximumBytes: 8192),
            let person = object["person"]?.string.flatMap(Identifier<Person>.init),
            let end = object["until"]?.integer, now < Timestamp(milliseconds: end)
        else { return nil }
        return Journey(person: person, place: object["place"]?.string)
    }

    private var stateContext: String { "upstream-sign-out-state/\(tenant.project.id)" }
}
