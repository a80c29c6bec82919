// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import ProviderCore
import Storage

/// `customOneStep`: `{"identity_provider", "data"?}`. One request to the operator's service
/// identifies the person. If the service responds "try again", the app may send the registration
/// again.
struct CustomOneStepEvidence: CustomEvidence {
    let method = AppRegistrationMethod.customOneStep

    func question(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) -> Result<PreparedCustomProviderRequest, CeremonyRefusal> {
        guard let name = claim.request.evidence["identity_provider"]?.string else {
            return .declined(
                .missingInput, "evidence.identity_provider is missing.", because: "no name",
                stranger: true)
        }
        guard let client = CustomProviderClient(name, method, in: context) else {
            return .declined(.unknownIdentityProvider, because: "no such name", stranger: true)
        }
        return CustomInput.data(of: claim.request.evidence).map {
            PreparedCustomProviderRequest(client: client, data: $0)
        }
    }
}
