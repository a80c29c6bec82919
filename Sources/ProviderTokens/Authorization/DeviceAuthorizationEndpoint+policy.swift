// SPDX-License-Identifier: Apache-2.0
import OAuth
import ProviderCore
import ProviderPeople
import Storage

extension DeviceAuthorizationEndpoint {
    /// The refusal for a signed-in person who may not authorize a device of this client, or `nil`.
    /// It says whether a step-up with one of their keys would help, as at `/authorize`.
    func refusal(
        of signedIn: AuthenticatedSession, by client: RegisteredClient, _ tenant: Tenant
    ) async throws -> Refusal? {
        let claim = AuthenticationAssurance(signedIn.session).claim()
        guard
            var refusal = client.policy.refusal(
                of: signedIn.person, contextClass: claim?.contextClass.rawValue ?? "")
        else { return nil }
        guard client.policy.accessRefusal(of: signedIn.person) == nil,
            let wanted = client.policy.requiredClass
        else { return refusal }
        let keys = PersonalKeys(
            try await provider.store.credentials.credentials(of: signedIn.person.id),
            policy: tenant.project.policy.webauthn)
        refusal.canStepUp = !keys.reaching(wanted).isEmpty
        return refusal
    }
}
