// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
package import Primitives
package import Storage

/// Sends somebody who has signed out here to the provider that vouched for them, to sign out there
/// as well (OpenID Connect RP-Initiated Logout 1.0).
package struct UpstreamSignOut: Sendable {
    private let provider: Provider
    private let tenant: Tenant
    private let now: Timestamp

    package init(_ provider: Provider, _ tenant: Tenant, now: Timestamp) {
        (self.provider, self.tenant, self.now) = (provider, tenant, now)
    }

    /// Where the provider sends them back to.
    package static func returnAddress(_ name: String, of tenant: Tenant) -> String {
        "\(tenant.issuer)/sign-out/with/\(name)"
    }

    /// A provider and the address there; `nil` when it is disabled, does not offer it, or is away:
    /// nobody waits for a provider in order to leave.
    ///
    /// - Parameter person: who has signed out. The hint of somebody else is none.
    /// - Parameter state: what comes back with them.
    package func address(
        _ hint: UpstreamLogoutHint, person: Identifier<Person>, state: String?
    ) async throws -> (provider: UpstreamProvider, address: String)? {
        guard hint.person == person,
            let found = try await provider.store.upstreamProvider(
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

    /// Somebody who has signed out here, and where the way goes on afterwards.
    package struct Journey: Sendable, Equatable {
        package let person: Identifier<Person>
        /// The registered address of a client that asked; `nil` for our own page.
        package let place: String?

        package init(person: Identifier<Person>, place: String?) {
            (self.person, self.place) = (person, place)
        }
    }

    /// As `state`: sealed, because it comes back from elsewhere. Good for an hour.
    package func state(of journey: Journey) throws -> String {
        var object = JSONObject()
        object["person"] = .string(journey.person.description)
        object["place"] = journey.place.map(JSONValue.string)
        object["until"] = .integer((now + .minutes(60)).milliseconds)
        return Base64URL.encode(
            try provider.secrets.seal(Secret(object.json.bytes), context: stateContext))
    }

    /// `nil` for what ``state(of:)`` has not made.
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
