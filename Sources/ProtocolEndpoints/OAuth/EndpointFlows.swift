// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import OAuth
package import ProviderCore
import ProviderDevices
import ProviderTokens
import Storage
package import WebPages

/// The pages' view of what waits for a person, answered by the endpoints themselves.
package struct EndpointFlows: AuthorizationFlow, DeviceFlow, SignOutFlow {
    private let provider: Provider

    private let translations: Translations

    package init(_ provider: Provider, translations: Translations) {
        self.provider = provider
        self.translations = translations
    }

    // MARK: Authorizations

    package func resume(
        _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession?
    ) async throws -> FlowProgress {
        progress(
            try await AuthorizationEndpoint(provider).resume(
                handle: handle, tenant: request.tenant, facts: request.facts, signedIn: signedIn),
            request)
    }

    package func decide(
        _ handle: String, allow: Bool, _ request: ServerRequest, _ signedIn: AuthenticatedSession
    ) async throws -> FlowProgress {
        progress(
            try await AuthorizationEndpoint(provider).decideConsent(
                handle: handle, allow: allow, tenant: request.tenant, facts: request.facts,
                signedIn: signedIn), request)
    }

    package func chooseCurrent(
        _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession
    ) async throws -> FlowProgress {
        progress(
            try await AuthorizationEndpoint(provider).chooseCurrent(
                handle: handle, tenant: request.tenant, facts: request.facts,
                signedIn: signedIn), request)
    }

    package func declineStepUp(
        _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession
    ) async throws -> FlowProgress {
        progress(
            try await AuthorizationEndpoint(provider).declineStepUp(
                handle: handle, tenant: request.tenant, facts: request.facts,
                signedIn: signedIn), request)
    }

    private func progress(_ step: AuthorizationStep, _ request: ServerRequest) -> FlowProgress {
        switch step {
        case .page(let refusal): FlowProgress(.refused(refusal))
        case .answer(let answer):
            FlowProgress(
                .answer(
                    AuthorizationResponsePage.response(
                        answer, in: request.language(among: translations, asked: nil),
                        below: request.tenant.pathPrefix)))
        case .interaction(let interaction):
            FlowProgress(ask(interaction), handle: interaction.handle)
        }
    }

    private func ask(_ interaction: Interaction) -> FlowStep {
        let client = ClientDisplayInfo(interaction.client)
        let origin = SetupAssistantSignIn.origins(behind: interaction.redirectURI)
        let key = SignInPrompt.RequiredKey(interaction.requiredKeyClass)
        return switch interaction.need {
        case .signIn(let hint, let reason):
            .signIn(
                SignInPrompt(
                    client: client, loginHint: hint, redirectOrigin: origin,
                    isSwitching: reason == .otherAccount, requiredKey: key))
        case .selectAccount:
            .chooseAccount(
                SignInPrompt(
                    client: client, loginHint: nil, redirectOrigin: origin, isSwitching: true,
                    requiredKey: key))
        case .consent(let scope):
            .consent(ConsentPrompt(client: client, scopes: scope.values, redirectOrigin: origin))
        case .stepUp(let wanted, let isEssential):
            .stepUp(
                StepUpPrompt(
                    client: client, contextClass: wanted.rawValue,
                    needsHardware: wanted == .phishingResistantHardware,
                    isEssential: isEssential, redirectOrigin: origin))
        case .secondWayIn:
            .secondWayIn(SignInPrompt(client: client, loginHint: nil, redirectOrigin: origin))
        case .otherAccount(let refusal):
            .otherAccount(
                SignInPrompt(
                    client: client, loginHint: nil, redirectOrigin: origin, isSwitching: true,
                    recordedAs: interaction.recordedAs, requiredKey: key), because: refusal)
        }
    }

    // MARK: Devices

    package func look(
        _ typed: String, _ request: ServerRequest
    ) async throws -> Result<DeviceCodePrompt, Refusal> {
        try await DeviceAuthorizationEndpoint(provider).lookup(
            userCode: typed, tenant: request.tenant, facts: request.facts,
            signedIn: try await request.signedIn(provider)
        ).map {
            DeviceCodePrompt(
                client: ClientDisplayInfo($0.client), scopes: $0.scope.values,
                code: UserCode.display($0.userCode), needsFreshSignIn: $0.needsFreshSignIn,
                device: $0.device)
        }
    }

    package func decide(
        _ typed: String, allow: Bool, _ request: ServerRequest, _ signedIn: AuthenticatedSession
    ) async throws -> Result<Bool, Refusal> {
        try await DeviceAuthorizationEndpoint(provider).decide(
            userCode: typed, allow: allow, tenant: request.tenant, facts: request.facts,
            signedIn: signedIn
        ).map { _ in allow }
    }

    // MARK: Signing out

    package func look(_ handle: String, _ request: ServerRequest) async throws -> SignOutPrompt? {
        try await EndSessionEndpoint(provider).question(
            handle: handle, tenant: request.tenant, facts: request.facts
        ).map {
            SignOutPrompt(
                clientName: $0.clientName,
                redirectOrigin: $0.target.flatMap { RedirectURI($0)?.origin })
        }
    }

    package func finish(
        _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession?
    ) async throws -> String? {
        try await EndSessionEndpoint(provider).finish(
            handle: handle, tenant: request.tenant, facts: request.facts, signedIn: signedIn)
    }
}

extension SignInPrompt.RequiredKey {
    init(_ required: ContextClass?) {
        switch required {
        case nil, .password: self = .none
        case .phishingResistant: self = .key
        case .phishingResistantHardware: self = .hardwareKey
        }
    }
}

extension ClientDisplayInfo {
    init(_ client: RegisteredClient) {
        let metadata = client.client.metadata
        self.init(
            name: client.displayName, logo: metadata.logoURI, policyURI: metadata.policyURI,
            tosURI: metadata.tosURI)
    }
}
