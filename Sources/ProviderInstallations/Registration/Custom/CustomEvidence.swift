// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives
import ProviderCore
import Storage

/// The shared code of the two methods whose evidence is verified by an operator's identity
/// provider.
protocol CustomEvidence: RegistrationEvidenceVerifier {
    /// The prepared request to the service, with the identifier for its attempt limit.
    func question(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) -> Result<PreparedCustomProviderRequest, CeremonyRefusal>
}

/// A request that is ready to be sent.
struct PreparedCustomProviderRequest: Sendable {
    let client: CustomProviderClient
    let data: String?
    /// The transaction of a registration in two steps.
    var transaction: CustomTransaction?
}

extension CustomEvidence {
    var needsKey: Bool { true }
    var asksOthers: Bool { true }
    /// The service identifies the person, so a further registration on any device is for the same
    /// person.
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

    /// The renewed transaction, if the service has returned a new state.
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
                details: details, responseMembers: answer.members))
    }
}

enum CustomInput {
    /// The data of the app for the service, unchanged.
    static func data(of body: JSONObject) -> Result<String?, CeremonyRefusal> {
        guard let value = body["data"], value != .null else { return .success(nil) }
        guard let text = value.string, text.utf8.count <= CustomProviderResponse.maximumDataLength
        else {
            return .declined(
                .malformedInput,
                "data must be text of at most "
                    + "\(CustomProviderResponse.maximumDataLength) bytes.", because: "data",
                stranger: true)
        }
        return .success(text)
    }
}
