// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import ProviderCore
import Storage

/// `customTwoStep`: `{"transaction", "data"?}`, the second step after `/registration/start`. The
/// transaction belongs to the same registration. The settings of its identity provider determine
/// its lifetime.
struct CustomTwoStepEvidence: CustomEvidence {
    let method = AppRegistrationMethod.customTwoStep

    func question(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) -> Result<PreparedCustomProviderRequest, CeremonyRefusal> {
        guard let text = claim.request.evidence["transaction"]?.string else {
            return .declined(
                .missingInput, "evidence.transaction is missing.", because: "no transaction",
                stranger: true)
        }
        guard
            let transaction = CustomTransaction(
                text, secrets: context.provider.secrets, tenant: context.tenant),
            transaction.registrationID == claim.request.registrationID
        else {
            return .declined(
                .transactionRefused, because: "not of this registration", stranger: true)
        }
        guard context.now < transaction.expiresAt else {
            return .declined(.transactionExpired, because: "expired")
        }
        guard let client = CustomProviderClient(transaction.provider, method, in: context) else {
            return .declined(.unknownIdentityProvider, because: "switched off")
        }
        return CustomInput.data(of: claim.request.evidence).map {
            PreparedCustomProviderRequest(client: client, data: $0, transaction: transaction)
        }
    }
}
