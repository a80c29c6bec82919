// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
package import Storage

extension BackchannelEndpoint {
    /// What the person reads. Not the administrator's to choose: nobody is asked anything in the
    /// name of a client but by that client.
    package static let trialMessage = "This is a test. Nothing happens, whatever you answer."

    /// Asks a person in the name of a client, so that an administrator sees whether it arrives. How
    /// to fetch what comes of it is told to nobody, so nobody is given anything.
    ///
    /// - Returns: the approval; or why the client could not ask them either.
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
