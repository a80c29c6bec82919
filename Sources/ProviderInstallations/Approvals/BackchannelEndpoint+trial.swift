// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
package import ProviderCore
import ProviderTokens
package import Storage

extension BackchannelEndpoint {
    /// The message of a trial. An administrator cannot choose it, because only the client itself
    /// may send messages in its name.
    package static let trialMessage = "This is a test. Nothing happens, whatever you answer."

    /// Sends an approval request in the name of a client, so that an administrator can see whether
    /// it arrives. The request ID is not returned, so the tokens cannot be fetched.
    ///
    /// - Returns: the approval, or the refusal that the client would receive.
    package func tryOut(
        _ person: Person, by client: Client, tenant: Tenant, facts: RequestMetadata
    ) async throws -> Result<Approval, Refusal> {
        let request = BackchannelRequest(
            asking: person.id.description, scope: "openid", message: Self.trialMessage)
        let call = Call(
            request: request, client: RegisteredClient(client), tenant: tenant, facts: facts,
            isTrial: true)
        if let refusal = policy(call) { return .failure(refusal) }
        guard !client.disabled, let scope = ScopeSet(request.scope) else {
            return .failure(Self.nobody(because: "the client is disabled").refusal)
        }
        return try await self.person(call).continued { asked in
            if let declined = try await count(call, asked) { return .failure(declined) }
            return .success(try await make(call, scope, asking: asked).approval)
        }.mapError(\.refusal)
    }
}
