// SPDX-License-Identifier: Apache-2.0
package import OAuth
import Primitives
package import ProviderCore
import Storage

/// Authenticates the client of a direct request.
///
/// A client has one registered authentication method. Credentials of another method are refused,
/// even if they are valid.
package struct ClientAuthenticator: Sendable {
    private let provider: Provider

    package init(_ provider: Provider) { self.provider = provider }

    package func identify(
        _ presented: PresentedClient, of tenant: Tenant, facts: RequestMetadata
    ) async throws -> Result<RegisteredClient, Refusal> {
        guard let client = try await provider.knownClient(presented.clientID, of: tenant)
        else { return refused("no such client") }
        guard !client.client.disabled else { return refused("the client is disabled") }
        guard client.authenticationMethod == presented.method else {
            return refused("authenticated by \(presented.method.rawValue), not as registered")
        }
        switch presented.proof {
        case .none: return .success(client)
        case .secret(let secret):
            return isRight(secret, for: client) ? .success(client) : refused("wrong secret")
        case .assertion(let assertion):
            let check = ClientAssertionCheck(
                provider: provider, tenant: tenant, client: client, now: facts.now)
            if let reason = try await check.reasonToRefuse(assertion) { return refused(reason) }
            return .success(client)
        }
    }

    private func isRight(_ secret: Secret, for client: RegisteredClient) -> Bool {
        guard let expected = client.client.secretHash else { return false }
        return ConstantTime.equal(
            provider.secrets.hash(secret.reveal(), for: .clientSecret), expected)
    }

    private func refused(_ reason: String) -> Result<RegisteredClient, Refusal> {
        .failure(
            Refusal(
                ErrorCode.invalidClient, "The client could not be authenticated.", reason: reason))
    }
}
