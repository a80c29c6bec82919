// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import ProviderInstallations
import Storage

/// `/registration/authenticators`: credentials that an installation has in addition to its key and
/// PIN.
extension RegistrationRoutes {
    var authenticatorEndpoints: [RegistrationEndpoint] {
        let path = "/authenticators"
        return [
            RegistrationEndpoint(
                .post, path + "/challenge", "authenticatorChallenge",
                "A nonce to be signed by an authenticator's key that is to be added.",
                answer: "Challenge", run: authenticatorChallenge),
            RegistrationEndpoint(
                .get, path, "listAuthenticators", "The authenticators of this installation.",
                answer: "Authenticators", isOpen: false, run: listAuthenticators),
            RegistrationEndpoint(
                .post, path, "addAuthenticator",
                "Adds an authenticator to this installation: a key that signs its person in. "
                    + "Repeating it with the same key is safe.",
                body: "NewAuthenticator", answer: "Authenticator", statuses: [.created, .ok],
                isOpen: false, run: addAuthenticator),
            RegistrationEndpoint(
                .delete, path + "/{authenticator}", "removeAuthenticator",
                "Removes an authenticator of this installation.", isOpen: false,
                run: removeAuthenticator),
        ]
    }

    private func authenticatorChallenge(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        .success(.json(call.context.nonces(for: .authenticator).issue().json))
    }

    private func listAuthenticators(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await AuthenticatorAccount.open(call.accessToken, in: call.context) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account):
            let items = try await account.all().map(\.json)
            return .success(.json((["items": .array(items)] as JSONValue).bytes))
        }
    }

    private func addAuthenticator(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await AuthenticatorAccount.open(call.accessToken, in: call.context) {
        case .failure(let refusal): .failure(refusal)
        case .success(let account):
            try await account.add(call.body).map {
                .json($0.authenticator.json.bytes, status: $0.isNew ? .created : .ok)
            }
        }
    }

    private func removeAuthenticator(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await AuthenticatorAccount.open(call.accessToken, in: call.context) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account):
            let name = call.request.parameters["authenticator"] ?? ""
            guard let id = Identifier<Credential>(name.lowercased()) else {
                return .failure(
                    RegistrationErrorCode.unknownAuthenticator.refusal(because: "no such id"))
            }
            return try await account.remove(id).map { .noContent }
        }
    }
}
