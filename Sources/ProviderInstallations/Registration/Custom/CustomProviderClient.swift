// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Logging
import Primitives
import ProviderCore
import Storage

/// A client for an operator's identity provider. It sends requests only to the configured URL,
/// follows no redirects, and limits size and time. Every request is counted before it is sent.
struct CustomProviderClient: Sendable {
    let rules: CustomProviderSettings
    let context: CeremonyContext

    /// Finds the settings with this name for this method. Returns `nil` if there are none or they
    /// are disabled.
    init?(_ id: String, _ method: AppRegistrationMethod, in context: CeremonyContext) {
        let all = context.tenant.project.policy.registration.identityProviders
        guard let rules = all.first(where: { $0.id.hasSameBytes(as: id) }), rules.enabled,
            rules.twoStep == (method == .customTwoStep)
        else { return nil }
        self.rules = rules
        self.context = context
    }

    /// - Parameter bucket: the identifier for the attempt limit.
    func ask(
        _ step: CustomProviderRequest.Step, _ registration: Identifier<AppRegistrationRequest>,
        data: String?, state: String?, countedAs bucket: String
    ) async throws -> Result<CustomProviderResponse, CeremonyRefusal> {
        if let declined = try await count(bucket) { return .failure(declined) }
        return try await GuessBudgets.address(in: context).attempt(counting: {
            $0.verdict != .success
        }) {
            try await ask(step, registration, data: data, state: state)
        }
    }

    private func ask(
        _ step: CustomProviderRequest.Step, _ registration: Identifier<AppRegistrationRequest>,
        data: String?, state: String?
    ) async throws -> Result<CustomProviderResponse, CeremonyRefusal> {
        guard let address = OutgoingURL(rules.url) else {
            return .failure(AttestedEvidence.notSetUp)
        }
        let question = CustomProviderRequest(
            step: step, issuer: context.tenant.issuer, audience: rules.url, provider: rules.id,
            registrationID: registration, data: data, state: state, now: context.now,
            id: context.provider.random.bytes(16))
        let body = question.body
        let signer = try await context.provider.keys.signer(for: context.tenant)
        let request = OutgoingRequest(
            "POST", address,
            headers: [
                (name: "content-type", value: "application/json"),
                (name: "accept", value: "application/json"),
                (
                    name: CustomProviderRequest.signatureField,
                    value: try CustomProviderRequest.signature(over: body, by: signer)
                ),
            ], body: body, maximumResponseLength: CustomProviderResponse.maximumLength,
            seconds: rules.timeout)
        do throws(OutgoingHTTPError) {
            return read(try await context.provider.http.send(request))
        } catch { return unavailable(error.description) }
    }

    private func read(_ answer: OutgoingResponse) -> Result<CustomProviderResponse, CeremonyRefusal>
    {
        guard answer.status == 200 else { return unavailable("HTTP \(answer.status)") }
        guard let read = CustomProviderResponse(json: answer.body) else {
            return unavailable("not an answer of the protocol")
        }
        return .success(read)
    }

    /// Counts requests for one registration, and requests from one IP address.
    private func count(_ bucket: String) async throws -> CeremonyRefusal? {
        let counter = AttemptCounter(context: context)
        if let declined = try await counter.countQuestion() { return declined }
        return try await counter.count(
            registration: bucket, limit: Int(clamping: rules.attempts),
            window: .seconds(max(rules.expiresIn, 60)))
    }

    private func unavailable(_ reason: String) -> Result<CustomProviderResponse, CeremonyRefusal> {
        context.provider.log.warning(
            "an identity provider gave no answer",
            metadata: ["identity_provider": "\(rules.id)", "reason": "\(reason)"])
        return .declined(.identityProviderUnavailable, because: reason)
    }
}

extension CustomProviderResponse {
    /// The members of an error response for the app.
    var members: [JSONObject.Member] {
        var members = [JSONObject.Member(name: "provider_status", value: .integer(status))]
        if let data { members.append(.init(name: "data", value: .string(data))) }
        return members
    }

    /// Returns `nil` if the service accepts.
    func declined(_ more: [JSONObject.Member] = []) -> CeremonyRefusal? {
        let code: RegistrationErrorCode
        switch verdict {
        case .success: return nil
        case .retry: code = .tryAgain
        case .unrecoverable: code = .identityProviderRefused
        }
        var declined = CeremonyRefusal(code, because: "the identity provider said \(status)")
        declined.refusal.members = members + more
        return declined
    }
}
