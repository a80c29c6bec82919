// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
import Primitives
package import ProviderCore
import Storage

extension CustomExchange {
    /// Runs the first of two steps: it sends the app's data to the operator's service and returns a
    /// transaction for the registration.
    ///
    /// The input is `{"identity_provider", "registration_id", "data"?}`, the output is
    /// `{"transaction", "provider_status", "data"?, "expires_in"}`.
    package func start(_ body: JSONObject) async throws -> Result<JSONObject, Refusal> {
        try await finish("start", try await ask(body))
    }

    private func ask(_ body: JSONObject) async throws -> Result<JSONObject, CeremonyRefusal> {
        guard InstallationRegistration.isOffered(.customTwoStep, in: context.tenant) else {
            return .declined(.methodNotSupported, because: "not offered", stranger: true)
        }
        guard let name = body["identity_provider"]?.string else {
            return .declined(
                .missingInput, "identity_provider is missing.", because: "name", stranger: true)
        }
        let registration: Identifier<AppRegistrationRequest>
        switch registrationID(of: body) {
        case .success(let read): registration = read
        case .failure(let declined): return .failure(declined)
        }
        let data: String?
        switch CustomInput.data(of: body) {
        case .success(let sent): data = sent
        case .failure(let declined): return .failure(declined)
        }
        guard let client = CustomProviderClient(name, .customTwoStep, in: context) else {
            return .declined(.unknownIdentityProvider, because: "no such name", stranger: true)
        }
        let id = context.provider.random.bytes(16)
        let answer = try await client.ask(
            .start, registration, data: data, state: nil,
            countedAs: Base64URL.encode(id))
        switch answer {
        case .failure(let declined): return .failure(declined)
        case .success(let answer):
            if let declined = answer.declined() { return .failure(declined) }
            return .success(try transaction(id, client.rules, registration, answer))
        }
    }

    private func registrationID(
        of body: JSONObject
    ) -> Result<Identifier<AppRegistrationRequest>, CeremonyRefusal> {
        guard let text = body["registration_id"]?.string else {
            return .declined(
                .missingInput, "registration_id is missing.", because: "id", stranger: true)
        }
        guard let registration = Identifier<AppRegistrationRequest>(text.lowercased()) else {
            return .declined(
                .malformedInput, "registration_id cannot be read.", because: "id", stranger: true)
        }
        return .success(registration)
    }

    private func transaction(
        _ id: [UInt8], _ rules: CustomProviderSettings,
        _ registration: Identifier<AppRegistrationRequest>, _ answer: CustomProviderResponse
    ) throws -> JSONObject {
        let transaction = CustomTransaction(
            id: id, provider: rules.id, registrationID: registration, state: answer.state,
            expiresAt: context.now + .seconds(rules.expiresIn))
        let sealed = try transaction.sealed(
            by: context.provider.secrets, for: context.tenant)
        return JSONObject(
            answer.members + [
                .init(name: "transaction", value: .string(sealed)),
                .init(name: "expires_in", value: .integer(rules.expiresIn)),
            ])
    }
}
