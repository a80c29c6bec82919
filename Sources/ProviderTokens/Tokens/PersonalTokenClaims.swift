// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Logging
import OAuth
package import ProviderCore
package import Storage

/// The claims of a person in tokens: claims of granted scopes, individually requested claims, and
/// the client's custom claims.
package struct PersonalTokenClaims: Sendable {
    package let client: RegisteredClient
    package let person: Person
    package let log: Logger
    package let facts: RequestMetadata

    package init(client: RegisteredClient, person: Person, log: Logger, facts: RequestMetadata) {
        self.client = client
        self.person = person
        self.log = log
        self.facts = facts
    }

    /// Maximum size of the claims in an access token, which is sent in an HTTP header with every
    /// request.
    private static let maximumLengthInAccessToken = 8192

    /// Whether the tokens of this request contain claims of the person.
    static func isNeeded(for entitlement: TokenIssuance, by client: RegisteredClient) -> Bool {
        let scope = entitlement.scope
        if scope.contains("groups") || !client.customClaims.isEmpty { return true }
        guard scope.contains("openid"), let grant = entitlement.grant else { return false }
        return client.hasClaimsInIDToken && PersonClaimsWriter.isNeeded(for: scope)
            || !(ClaimsRequest(grant.claims)?.idToken ?? []).isEmpty
    }

    /// The client's custom claims for an ID token.
    package var customOfIDToken: [(name: String, value: JSONValue)] {
        PersonClaimsWriter(person: person).values(of: client.customClaims, in: .idToken)
    }

    /// The claims for the ID token.
    func idToken(
        _ scope: ScopeSet, _ grant: Grant
    ) -> [(name: String, value: JSONValue)] {
        let writer = PersonClaimsWriter(person: person)
        let asked = ClaimsRequest(grant.claims)?.allowed(by: client.scope).idToken ?? []
        let granted = client.hasClaimsInIDToken ? writer.values(for: scope) : []
        return PersonClaimsWriter.once(
            writer.values(of: asked) + granted + customOfIDToken)
    }

    /// The claims for the access token: granted `groups`, and the client's custom claims. If they
    /// are too large for an HTTP header, the groups are omitted; user info contains them.
    func accessToken(_ scope: ScopeSet) -> JSONObject {
        let writer = PersonClaimsWriter(person: person)
        let custom = writer.values(of: client.customClaims, in: .accessToken)
        let groups = writer.values(for: scope.intersection(ScopeSet(["groups"])))
        let all = Self.object(custom + groups)
        guard all.bytes.count > Self.maximumLengthInAccessToken else { return all }
        log.warning(
            "groups do not fit into an access token",
            metadata: [
                "client_id": "\(client.clientID)", "person": "\(person.id)",
                "request_id": "\(facts.requestID)",
            ])
        let rest = Self.object(custom)
        return rest.bytes.count > Self.maximumLengthInAccessToken ? JSONObject() : rest
    }

    private static func object(_ claims: [(name: String, value: JSONValue)]) -> JSONObject {
        JSONObject(claims.map { .init(name: $0.name, value: $0.value) })
    }
}

extension TokenRequestContext {
    func claims(of person: Person) -> PersonalTokenClaims {
        PersonalTokenClaims(client: client, person: person, log: provider.log, facts: facts)
    }
}
