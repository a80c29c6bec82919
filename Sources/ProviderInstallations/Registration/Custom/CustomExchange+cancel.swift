// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
import Primitives
package import ProviderCore
import Storage

extension CustomExchange {
    /// Cancels a registration between its two steps. The operator's service is notified, so that it
    /// can delete its state. The provider stores none.
    ///
    /// The input is `{"transaction"}`; there is no output. For the app, the registration is
    /// cancelled whatever the service responds.
    package func cancel(_ body: JSONObject) async throws -> Result<Void, Refusal> {
        try await finish("cancel", try await notifyProvider(body))
    }

    private func notifyProvider(_ body: JSONObject) async throws -> Result<Void, CeremonyRefusal> {
        guard let text = body["transaction"]?.string else {
            return .declined(
                .missingInput, "transaction is missing.", because: "no transaction",
                stranger: true)
        }
        guard
            let transaction = CustomTransaction(
                text, secrets: context.provider.secrets, tenant: context.tenant)
        else {
            return .declined(.transactionRefused, because: "not of this project", stranger: true)
        }
        guard context.now < transaction.expiresAt else {
            return .declined(.transactionExpired, because: "expired")
        }
        guard let client = CustomProviderClient(transaction.provider, .customTwoStep, in: context)
        else { return .declined(.unknownIdentityProvider, because: "switched off") }
        return try await client.ask(
            .cancel, transaction.registrationID, data: nil, state: transaction.state,
            countedAs: Base64URL.encode(transaction.id)
        ).map { _ in }
    }
}
