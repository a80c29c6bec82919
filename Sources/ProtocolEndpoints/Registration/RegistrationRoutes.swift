// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import HTTPServer
import HTTPTypes
import JOSE
import PIN
import Primitives
package import ProviderCore
import ProviderInstallations
import Storage

/// `/registration`: how app installations register, get nonces to sign in with, and leave. JSON, no
/// cookies. A page names its client in the query, and is asked from where it is.
package struct RegistrationRoutes: HTTPRouteGroup {
    private let provider: Provider
    private let limits: AttemptLimits
    private let notices: any NotificationComposer

    package init(
        _ provider: Provider, limits: AttemptLimits = AttemptLimits(),
        notices: any NotificationComposer
    ) {
        self.provider = provider
        self.limits = limits
        self.notices = notices
    }

    static let prefix = "/registration"

    package func routes() -> [HTTPRoute] {
        let endpoints =
            endpoints + authenticatorEndpoints + passkeyEndpoints + approvalEndpoints
            + handoffEndpoints
        let operations = endpoints.map(\.documented)
        let description = HTTPRoute(
            .get, Self.prefix + "/openapi.json", bodyLimit: 0, origins: .everyone
        ) { request in
            let document = OpenAPIDocument(
                title: "Gatehouse Registration", address: request.tenant.issuer,
                operations: operations, schemas: RegistrationSchemas.text)
            return .publicJSON(document.bytes, seconds: 300)
        }
        return [description] + endpoints.map(route)
    }

    var endpoints: [RegistrationEndpoint] {
        [
            RegistrationEndpoint(
                .post, "/challenge", "registrationChallenge",
                "A nonce for one registration by one method.", body: "ChallengeRequest",
                answer: "Challenge", registers: true, run: challenge),
            RegistrationEndpoint(
                .post, "", "register",
                "Registers an app installation, and with it a person. Repeating it is safe: "
                    + "the first response is 201, every other one 200 with the same body and "
                    + "another next.",
                body: "Registration", answer: "Registered", statuses: [.created, .ok],
                registers: true, run: register),
            RegistrationEndpoint(
                .get, "/identity-providers", "listIdentityProviders",
                "The identity providers that people can register with: sign-in page, upstream, "
                    + "custom.",
                answer: "IdentityProviders", run: identityProviders),
            RegistrationEndpoint(
                .post, "/start", "startRegistration",
                "The first of two steps by the operator's own identity provider.",
                body: "RegistrationStart", answer: "RegistrationStarted", registers: true,
                run: start),
            RegistrationEndpoint(
                .post, "/cancel", "cancelRegistration",
                "Cancels between the two steps, and notifies the identity provider.",
                body: "RegistrationCancel", run: cancel),
            RegistrationEndpoint(
                .post, "/sign-in/challenge", "signInChallenge",
                "A nonce to be signed by an installation's key, for the token endpoint.",
                answer: "Challenge", run: signInChallenge),
            RegistrationEndpoint(
                .post, "/pin/challenge", "pinChallenge",
                "A nonce for one message of the PIN protocol, and the project's rules for PINs.",
                answer: "Challenge", run: pinChallenge),
            RegistrationEndpoint(
                .post, "/pin", "pin",
                "One message of the PIN protocol: a change, a commit, a resolution, or a proof. "
                    + "To sign in, send the message to the token endpoint instead.",
                body: "PINRequest", answer: "PINAnswer", run: pin),
            RegistrationEndpoint(
                .get, "/installations", "listInstallations", "One's own installations.",
                answer: "Installations", isOpen: false, run: list),
            RegistrationEndpoint(
                .delete, "/installations/{installation}", "removeInstallation",
                "Ends an installation: its key, and all that was given to it.", isOpen: false,
                run: remove),
            RegistrationEndpoint(
                .delete, "/sign-ins", "signOutEverywhere",
                "Signs oneself out everywhere: browsers and apps. Installations stay.",
                isOpen: false, run: signOutEverywhere),
            RegistrationEndpoint(
                .delete, "/account", "closeAccount",
                "Closes one's own account: the person, and all that is bound to them.",
                isOpen: false, run: close),
        ]
    }

    private func route(_ endpoint: RegistrationEndpoint) -> HTTPRoute {
        HTTPRoute(
            endpoint.method, Self.prefix + endpoint.path,
            bodyLimit: endpoint.body == nil ? 0 : 65_536, origins: .ofClient(of: provider)
        ) { request in
            // An app of any version may unregister.
            if endpoint.method != .delete,
                let refusal = await VersionFilter(provider).refusal(
                    request, for: endpoint.registers ? .registration : .use)
            {
                return RegistrationProblem.response(refusal, to: request)
            }
            let context = CeremonyContext(
                provider: provider, tenant: request.tenant, facts: request.facts, limits: limits,
                writer: notices)
            let body: JSONObject
            switch RegistrationBody.read(request, expected: endpoint.body != nil) {
            case .success(let read): body = read
            case .failure(let complaint):
                return try await refusal(of: endpoint, request, context) ?? complaint.response
            }
            switch try await endpoint.run(
                RegistrationAPIRequest(request: request, body: body, context: context))
            {
            case .success(let response): return response
            case .failure(let refusal): return RegistrationProblem.response(refusal, to: request)
            }
        }
    }

    /// Returns the refusal if the endpoint requires an access token and the request has no valid
    /// one. The token is verified before the body is read, so that an unauthenticated sender
    /// receives no information about the body.
    private func refusal(
        of endpoint: RegistrationEndpoint, _ request: ServerRequest, _ context: CeremonyContext
    ) async throws -> ServerResponse? {
        guard !endpoint.isOpen else { return nil }
        let call = RegistrationAPIRequest(request: request, body: JSONObject(), context: context)
        guard case .failure(let refusal) = try await account(call) else { return nil }
        return RegistrationProblem.response(refusal, to: request)
    }

    private func challenge(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        guard let name = call.body["method"]?.string else {
            return .failure(
                RegistrationErrorCode.missingInput.refusal(
                    "method is missing.", because: "no method"))
        }
        let method = AppRegistrationMethod(rawValue: name)
        guard InstallationRegistration.isOffered(method, in: call.context.tenant) else {
            return .failure(
                RegistrationErrorCode.methodNotSupported.refusal(because: "not offered"))
        }
        return .success(.json(nonceAndPolicy(for: .registration(method), call)))
    }

    private func identityProviders(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        let providers = RegistrationIdentityProviders(call.context)
        return .success(.json(try await providers.all().bytes))
    }

    private func start(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        try await CustomExchange(call.context).start(call.body).map { .json($0.bytes) }
    }

    private func cancel(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        try await CustomExchange(call.context).cancel(call.body).map { .noContent }
    }

    private func pinChallenge(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        .success(.json(nonceAndPolicy(for: .pin, call)))
    }

    private func pin(_ call: RegistrationAPIRequest) async throws -> RegistrationAPIRequest.Outcome
    {
        guard let request = call.body["request"]?.string else {
            return .failure(
                RegistrationErrorCode.missingInput.refusal(
                    "request is missing.", because: "request"))
        }
        return try await PINRequestHandler(call.context).answer(request).map {
            var answer = JSONObject($0.members)
            answer["next"] = .object(call.context.nonces(for: .pin).issue().object)
            return .json(answer.bytes)
        }
    }

    private func signInChallenge(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        .success(.json(call.context.nonces(for: .signIn).issue().json))
    }

    /// A nonce for a request that can set a PIN, with the project's policy for PINs.
    private func nonceAndPolicy(
        for purpose: StatelessNonce.Purpose, _ call: RegistrationAPIRequest
    ) -> [UInt8] {
        let policy = call.context.tenant.project.policy.registration.pin.devicePolicy
        return call.context.nonces(for: purpose).issue(pin: policy).json
    }

    private func register(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        let wanted: AppRegistrationRequest
        do throws(AppRegistrationRequest.ParseError) {
            wanted = try AppRegistrationRequest(call.body)
        } catch {
            return .failure(RegistrationProblem.refusal(of: error))
        }
        return try await InstallationRegistration.run(wanted, in: call.context).map {
            .json($0.json(in: call.context), status: $0.isNew ? .created : .ok)
        }
    }

    private func account(
        _ call: RegistrationAPIRequest
    ) async throws -> Result<RegisteredAccount, Refusal> {
        try await RegisteredAccount.open(call.accessToken, in: call.context)
    }

    private func list(_ call: RegistrationAPIRequest) async throws -> RegistrationAPIRequest.Outcome
    {
        switch try await account(call) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account):
            let items = try await account.installations().map {
                InstallationJSON.object($0, isCurrent: $0.id == account.current)
            }
            return .success(.json((["items": .array(items)] as JSONValue).bytes))
        }
    }

    private func remove(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await account(call) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account):
            let name = call.request.parameters["installation"] ?? ""
            let id =
                name == "current" ? account.current : Identifier<Installation>(name.lowercased())
            guard let id else {
                return .failure(
                    RegistrationErrorCode.unknownInstallation.refusal(because: "no such id"))
            }
            return try await account.remove(id).map { .noContent }
        }
    }

    private func signOutEverywhere(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await account(call) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let account):
            try await account.signOutEverywhere()
            return .success(.noContent)
        }
    }

    private func close(
        _ call: RegistrationAPIRequest
    ) async throws -> RegistrationAPIRequest.Outcome {
        switch try await account(call) {
        case .failure(let refusal): .failure(refusal)
        case .success(let account): try await account.close().map { .noContent }
        }
    }
}
