// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import JOSE
import Primitives
import ProviderInstallations
import ProviderPeople
import Storage

/// `/registration/passkeys`: a person's passkeys, for apps.
extension RegistrationRoutes {
    var passkeyEndpoints: [RegistrationEndpoint] {
        let path = "/passkeys"
        return [
            RegistrationEndpoint(
                .post, path + "/sign-in", "passkeySignInOptions",
                "What a system is asked for, to sign in with a passkey. The answer goes to the "
                    + "token endpoint.",
                answer: "PasskeyOptions", run: passkeySignIn),
            RegistrationEndpoint(
                .post, path + "/options", "passkeyOptions",
                "What a system is asked for, to make a passkey for this person.",
                answer: "PasskeyOptions", isOpen: false, run: passkeyOptions),
            RegistrationEndpoint(
                .get, path, "listPasskeys", "The passkeys and security keys of this person.",
                answer: "Passkeys", isOpen: false, run: listPasskeys),
            RegistrationEndpoint(
                .post, path, "addPasskey", "Adds a passkey to this person.",
                body: "NewPasskey", answer: "Passkey", statuses: [.created], isOpen: false,
                run: addPasskey),
            RegistrationEndpoint(
                .delete, path + "/{passkey}", "removePasskey",
                "Removes a passkey of this person, unless it is the only sign-in method.",
                isOpen: false,
                run: removePasskey),
        ]
    }

    private func passkeySignIn(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        try await PasskeyOptions.signIn(in: call.context).map { .json($0.json.bytes) }
    }

    private func passkeyOptions(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await PasskeyAccount.open(call.accessToken, in: call.context) {
        case .failure(let refusal): .failure(refusal)
        case .success(let account): try await account.options().map { .json($0.json.bytes) }
        }
    }

    private func listPasskeys(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await PasskeyAccount.open(call.accessToken, in: call.context) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account):
            let items = try await account.all().map(Self.shown)
            return .success(.json((["items": .array(items)] as JSONValue).bytes))
        }
    }

    private func addPasskey(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await PasskeyAccount.open(call.accessToken, in: call.context) {
        case .failure(let refusal): .failure(refusal)
        case .success(let account):
            try await account.add(call.body).map {
                .json(Self.shown($0).bytes, status: .created)
            }
        }
    }

    private func removePasskey(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await PasskeyAccount.open(call.accessToken, in: call.context) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account):
            let name = call.request.parameters["passkey"] ?? ""
            guard let id = Identifier<Credential>(name.lowercased()) else {
                return .failure(
                    RegistrationErrorCode.unknownAuthenticator.refusal(because: "no such id"))
            }
            return try await account.remove(id).map { .noContent }
        }
    }

    private static func shown(_ credential: Credential) -> JSONValue {
        var object = JSONObject()
        object["id"] = .string(credential.id.description)
        object["credential_id"] = .string(Base64URL.encode(credential.externalID))
        object["name"] = .string(credential.label)
        object["created_at"] = .string(credential.createdAt.rfc3339)
        object["last_used_at"] = credential.lastUsedAt.map { .string($0.rfc3339) }
        return .object(object)
    }
}
