// SPDX-License-Identifier: Apache-2.0
import Logging
import OAuth
import Primitives
import Storage

/// What a client asks a person for, judged the same wherever it asks.
///
/// A scope that exists and that the client may not have is an error (RFC 6749 section 4.1.2.1). A
/// scope that nothing here knows is left out (OpenID Connect Core section 3.1.2.1). `offline_access`
/// is an error where the client has no grant type to use it with: section 11 of OpenID Connect Core
/// lets it be ignored for what a request lacks, and this is what the client's registration lacks.
struct RequestedScope: Sendable {
    let granted: ScopeSet
    /// Left out.
    let unknown: ScopeSet

    /// - Parameter text: the scope parameter.
    static func judge(
        _ text: String?, for client: RegisteredClient, of tenant: Tenant, by provider: Provider
    ) async throws -> Result<RequestedScope, Refusal> {
        guard let asked = ScopeSet(text ?? "") else {
            return refuse("scope holds letters that it may not.")
        }
        let granted = asked.intersection(client.grantableScope)
        let beyond = asked.subtracting(granted)
        guard !beyond.isEmpty else {
            return .success(RequestedScope(granted: granted, unknown: beyond))
        }
        let known = try await provider.knownScopes(of: tenant)
        let denied = ScopeSet(beyond.values.filter(known.contains))
        guard denied.isEmpty else {
            return refuse("The client may not have the scope \(bounded(denied)).")
        }
        guard !granted.isEmpty else {
            return refuse("Nothing here knows the scope \(bounded(beyond)).")
        }
        return .success(RequestedScope(granted: granted, unknown: beyond))
    }

    private static func bounded(_ scope: ScopeSet) -> String { LogText.bounded(scope.text, 512) }

    private static func refuse(_ message: String) -> Result<RequestedScope, Refusal> {
        .failure(Refusal(ErrorCode.invalidScope, message, reason: message))
    }

    /// Tells the operator what was left out.
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

extension RegisteredClient {
    /// What people can grant it: `offline_access` only with a grant type to use it with.
    var grantableScope: ScopeSet {
        may("refresh_token") ? scope : scope.subtracting(ScopeSet(["offline_access"]))
    }
}

extension Provider {
    private static let page = 500

    /// The scopes that have a meaning of ours, and those that a client of the project is registered
    /// for. At most a minute old.
    func knownScopes(of tenant: Tenant) async throws -> Set<String> {
        let project = tenant.project.id
        let found = try await scopes.value(for: project, now: clock.now) {
            var all = Set(ProviderMetadata.scopes + [PlatformSSOEndpointInfo.scope])
            var last: String?
            repeat {
                let clients = try await store.clients(of: project, after: last, limit: Self.page)
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
