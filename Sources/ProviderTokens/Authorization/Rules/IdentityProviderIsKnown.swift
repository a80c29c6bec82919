// SPDX-License-Identifier: Apache-2.0
import ProviderCore
import Storage

/// `identity_provider`, a parameter of this provider: the name of an upstream provider that people
/// can sign in with. If the person has to sign in, the browser is redirected to it at once. It is a
/// hint: a person who is signed in already gets the response.
struct IdentityProviderIsKnown: AuthorizationRule {
    func check(_ draft: inout AuthorizationDraft, _ context: RuleContext) async throws -> Refusal? {
        guard let sent = draft[.identityProvider] else { return nil }
        let known = try await context.provider.upstreamProviders(of: context.tenant)
        guard let found = known.first(where: { $0.name == sent && $0.signsPeopleIn }) else {
            return .invalidRequest(
                "identity_provider is not the identifier of an enabled identity provider of this "
                    + "project.")
        }
        draft.identityProvider = found.name
        return nil
    }
}
