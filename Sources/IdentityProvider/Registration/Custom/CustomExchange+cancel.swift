// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
import Primitives
import Storage

extension CustomExchange {
    /// A registration that the person has given up between its steps: the operator's service is
    /// told, so that it can forget what it remembers. The provider keeps nothing of its own.
    ///
    /// `{"transaction"}` in, nothing out. Whatever the service answers, it is over for the app.
    package func cancel(_ body: JSONObject) async throws -> Result<Void, Refusal> {
        try await settle("cancel", try await tell(body))
    }

    private func tell(_ body: JSONObject) async throws -> Result<Void, CeremonyRefusal> {
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
