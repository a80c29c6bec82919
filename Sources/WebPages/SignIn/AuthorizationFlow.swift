// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
package import ProviderCore

/// The pending authorization request of a client, as pages use it while a person signs in or
/// consents.
package protocol AuthorizationFlow: Sendable {
    /// Continues with the current session, or without one, until a decision of the person is
    /// needed.
    func resume(
        _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession?
    ) async throws -> FlowProgress
    /// Continues with the account that is signed in.
    func chooseCurrent(
        _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession
    ) async throws -> FlowProgress
    /// Continues with the person's decision on the consent.
    func decide(
        _ handle: String, allow: Bool, _ request: ServerRequest, _ signedIn: AuthenticatedSession
    ) async throws -> FlowProgress
    /// Continues after the person declined the step-up.
    func declineStepUp(
        _ handle: String, _ request: ServerRequest, _ signedIn: AuthenticatedSession
    ) async throws -> FlowProgress
}

/// The next step, and the handle of the updated request.
package struct FlowProgress: Sendable {
    package var step: FlowStep
    /// `nil` if no request is pending.
    package var handle: String?

    package init(_ step: FlowStep, handle: String? = nil) {
        self.step = step
        self.handle = handle
    }
}

/// The next step of a flow.
package enum FlowStep: Sendable {
    /// The response to the client.
    case answer(ServerResponse)
    case signIn(SignInPrompt)
    case chooseAccount(SignInPrompt)
    case consent(ConsentPrompt)
    /// Signed in, and only a key is missing.
    case stepUp(StepUpPrompt)
    /// One key alone does not count here.
    case secondWayIn(SignInPrompt)
    /// Who is signed in may not use the client; another account may.
    case otherAccount(SignInPrompt, because: Refusal)
    /// Never sent to the client.
    case refused(Refusal)
}

/// The data of a client that pages display.
package struct ClientDisplayInfo: Sendable, Equatable {
    package var name: String
    /// Shown only when it is a `data:` URL: pages load nothing from other hosts.
    package var logo: String?
    package var policyURI: String?
    package var tosURI: String?

    package init(
        name: String, logo: String? = nil, policyURI: String? = nil, tosURI: String? = nil
    ) {
        self.name = name
        self.logo = logo
        self.policyURI = policyURI
        self.tosURI = tosURI
    }

    /// Values for templates. Every key is present, so that a template does not read the key of an
    /// outer scope.
    var face: [String: Any] {
        let picture = logo.flatMap { $0.hasPrefix("data:image/") ? $0 : nil }
        return ["logo": picture ?? false as Any, "initial": PageContext.initial(of: name)]
    }
}

package struct SignInPrompt: Sendable {
    package var client: ClientDisplayInfo
    package var loginHint: String?
    /// The origin that the answer will lead to, for `form-action`.
    package var redirectOrigin: String?
    /// Whether another account than the one that is signed in is meant, or may be.
    package var isSwitching: Bool
    /// The id of the request in whose audit event a refusal is (``Interaction/recordedAs``).
    package var recordedAs: String?
    /// Whether the client accepts only keys.
    package var requiredKey: RequiredKey

    package enum RequiredKey: Sendable {
        case none, key, hardwareKey
    }

    package init(
        client: ClientDisplayInfo, loginHint: String?, redirectOrigin: String?,
        isSwitching: Bool = false,
        recordedAs: String? = nil, requiredKey: RequiredKey = .none
    ) {
        self.client = client
        self.loginHint = loginHint
        self.redirectOrigin = redirectOrigin
        self.isSwitching = isSwitching
        self.recordedAs = recordedAs
        self.requiredKey = requiredKey
    }
}

package struct StepUpPrompt: Sendable {
    package var client: ClientDisplayInfo
    /// The `acr` that the key must reach.
    package var contextClass: String
    /// Whether the key must be one of hardware.
    package var needsHardware: Bool
    /// Whether the client takes no less.
    package var isEssential: Bool
    package var redirectOrigin: String?

    package init(
        client: ClientDisplayInfo, contextClass: String, needsHardware: Bool, isEssential: Bool,
        redirectOrigin: String?
    ) {
        self.client = client
        self.contextClass = contextClass
        self.needsHardware = needsHardware
        self.isEssential = isEssential
        self.redirectOrigin = redirectOrigin
    }
}

package struct ConsentPrompt: Sendable {
    package var client: ClientDisplayInfo
    package var scopes: [String]
    package var redirectOrigin: String?

    package init(client: ClientDisplayInfo, scopes: [String], redirectOrigin: String?) {
        self.client = client
        self.scopes = scopes
        self.redirectOrigin = redirectOrigin
    }
}
