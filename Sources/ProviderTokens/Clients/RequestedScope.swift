// SPDX-License-Identifier: Apache-2.0
import Logging
package import OAuth
import Primitives
import ProviderCore
import Storage

/// The evaluated scope parameter of a client. All endpoints use the same rules.
///
/// A scope that exists and that the client may not have is an error (RFC 6749 section 4.1.2.1). An
/// unknown scope is ignored (OpenID Connect Core section 3.1.2.1). `offline_access` is an error if
/// the client is not registered for refresh tokens: section 11 of OpenID Connect Core allows
/// ignoring it for shortcomings of the request, and this is one of the registration.
struct RequestedScope: Sendable {
    let granted: ScopeSet
    /// The scopes that were ignored.
    let unknown: ScopeSet

    /// - Parameter text: the scope parameter.
    static func evaluate(
        _ text: String?, for client: RegisteredClient, of tenant: Tenant, by provider: Provider
    ) async throws -> Result<RequestedScope, Refusal> {
        guard let asked = ScopeSet(text ?? "") else {
            return refuse("scope has characters that are not allowed.")
        }
        let allowed = asked.intersection(client.grantableScope)
        let beyond = asked.subtracting(allowed)
        let granted = tenant.withoutRefresh(allowed)
        guard !beyond.isEmpty else {
            return .success(RequestedScope(granted: granted, unknown: beyond))
        }
        let known = try await provider.knownScopes(of: tenant)
        let denied = ScopeSet(beyond.values.filter(known.contains))
        guard denied.isEmpty else {
            return refuse("The client may not have the scope \(bounded(denied)).")
        }
        guard !allowed.isEmpty else {
            return refuse("Nothing here knows the scope \(bounded(beyond)).")
        }
        return .success(RequestedScope(granted: granted, unknown: beyond))
    }

    private static func bounded(_ scope: ScopeSet) -> String { LogText.bounded(scope.text, 512) }

    private static func refuse(_ message: String) -> Result<RequestedScope, Refusal> {
        .failure(Refusal(ErrorCode.invalidScope, message, reason: message))
    }

    /// Logs the ignored scopes for the operator.
    func logUnknown(_ client: RegisteredClient, in provider: Provider, _ facts: RequestMetadata) {
        guard !unknown.isEmpty else { return }
        provider.log.info(
            "unknown scopes were left out",
            metadata: [
                "client_id": "\(client.clientID)", "request_id": "\(facts.requestID)",
                "scope": "\(Self.bounded(unknown))",
            ])
    }
}

extension Tenant {
    /// The scopes that a person grants in a browser or on a device. If the project requires a PIN,
    /// a grant that can register an installation has no refresh token: the person stays signed in
    /// only after the PIN exists. OpenID Connect Core section 11 allows ignoring `offline_access`.
    fileprivate func withoutRefresh(_ scope: ScopeSet) -> ScopeSet {
        guard project.policy.registration.pin.isRequired,
            scope.contains(ProviderScope.registration)
        else { return scope }
        return scope.subtracting(ScopeSet(["offline_access"]))
    }
}

extension RegisteredClient {
    /// The scopes that people can grant. `offline_access` requires the grant type `refresh_token`.
    package var grantableScope: ScopeSet {
        may("refresh_token") ? scope : scope.subtracting(ScopeSet(["offline_access"]))
    }
}

extension Provider {
    private static let page = 500

    /// Names of known scopes by project.
    private var scopes: ExpiringCache<Identifier<Project>, Set<String>> {
        component { ExpiringCache(capacity: 1_000, freshness: .minutes(1)) }
    }

    /// The scopes that this provider defines, and those of the project's registered clients. At
    /// most one minute old.
    func knownScopes(of tenant: Tenant) async throws -> Set<String> {
        let project = tenant.project.id
        let found = try await scopes.value(for: project, now: clock.now) {
            var all = Set(ProviderMetadata.scopes + [ProviderScope.platformSSO])
            var last: String?
            repeat {
                let clients = try await store.clients.clients(
                    of: project, after: last, limit: Self.page)
                for client in clients {
                    all.formUnion(ScopeSet(client.metadata.scope)?.values ?? [])
                }
                last = clients.count < Self.page ? nil : clients.last?.clientID
            } while last != nil
            return all
        }
        return found ?? []
    }
}
