// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives
import Storage

/// What the two methods share whose evidence is the word of an operator's own identity provider.
protocol CustomEvidence: RegistrationEvidenceVerifier {
    /// What the service is asked with, and what counts its attempts.
    func question(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) -> Result<PreparedCustomProviderRequest, CeremonyRefusal>
}

/// A question about to be asked.
struct PreparedCustomProviderRequest: Sendable {
    let client: CustomProviderClient
    let data: String?
    /// Of a registration in two steps.
    var transaction: CustomTransaction?
}

extension CustomEvidence {
    var needsKey: Bool { true }
    var asksOthers: Bool { true }
    /// The service knows who it is: registering again, on this device or another, is the same
    /// person once more.
    func reusesPerson(_ policy: RegistrationPolicy) -> Bool { true }

    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        let asking: PreparedCustomProviderRequest
        switch question(claim, context) {
        case .success(let read): asking = read
        case .failure(let declined): return .failure(declined)
        }
        let registration = claim.request.registrationID
        let answer = try await asking.client.ask(
            .complete, registration, data: asking.data, state: asking.transaction?.state,
            countedAs: asking.transaction.map { Base64URL.encode($0.id) }
                ?? registration.description)
        switch answer {
        case .failure(let declined): return .failure(declined)
        case .success(let answer):
            if let declined = answer.declined(try renewed(asking, answer, context)) {
                return .failure(declined)
            }
            return vouched(by: answer, asking.client)
        }
    }

    /// The transaction as it goes on, when the service has more to remember.
    private func renewed(
        _ asking: PreparedCustomProviderRequest, _ answer: CustomProviderResponse,
        _ context: CeremonyContext
    ) throws -> [JSONObject.Member] {
        guard answer.verdict == .retry, let old = asking.transaction, let state = answer.state
        else { return [] }
        let next = CustomTransaction(
            id: old.id, provider: old.provider, registrationID: old.registrationID, state: state,
            expiresAt: old.expiresAt)
        let sealed = try next.sealed(by: context.provider.secrets, for: context.tenant)
        return [.init(name: "transaction", value: .string(sealed))]
    }

    private func vouched(
        by answer: CustomProviderResponse, _ client: CustomProviderClient
    ) -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        guard let user = answer.user else {
            return .declined(
                .identityProviderUnavailable, because: "a success without a user")
        }
        let kept = user.attributes.members.filter { client.rules.attributes.contains($0.name) }
        var details = JSONObject()
        details["identity_provider"] = .string(client.rules.id)
        details["status"] = .integer(answer.status)
        return .success(
            VerifiedRegistrationEvidence(
                identity: FederatedIdentity(issuer: client.rules.realm, subject: user.subject),
                name: (user.username, client.rules.realm), attributes: JSONObject(kept),
                details: details, told: answer.members))
    }
}

enum CustomInput {
    /// What the app says to the service, as it is.
    static func data(of body: JSONObject) -> Result<String?, CeremonyRefusal> {
        guard let value = body["data"], value != .null else { return .success(nil) }
        guard let text = value.string, text.utf8.count <= CustomProviderResponse.longestData else {
            return .declined(
                .malformedInput,
                "data must be text of at most "
                    + "\(CustomProviderResponse.longestData) bytes.", because: "data",
                stranger: true)
        }
        return .success(text)
    }
}
