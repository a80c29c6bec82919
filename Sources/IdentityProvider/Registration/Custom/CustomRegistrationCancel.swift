// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
import Primitives
import Storage

/// A registration in two steps that the person has given up between them: the operator's service is
/// told, so that it can forget what it remembers. The provider keeps nothing of its own.
package struct CustomRegistrationCancel: Sendable {
    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// `{"transaction"}` in, nothing out. Whatever the service answers, it is over for the app.
    package func run(_ body: JSONObject) async throws -> Result<Void, Refusal> {
        let outcome = try await tell(body)
        return try await context.settle(
            "registration.customTwoStep.cancel", outcome, person: { _ in nil })
    }

    private func tell(_ body: JSONObject) async throws -> Result<Void, Declined> {
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
