// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

/// Routes requests of apps to the extension that a profile names for their URL.
@AgentActor
struct AppRequests {
    let profiles: ActiveProfiles
    let calls: ExtensionCalls
    let managers: LoginManagerFactory
    let events: any AgentEvents

    /// Returns the answer of the extension. After a failure of the agent the app sends its request as it
    /// would without an extension; only the person, or a locked screen, cancels it.
    ///
    /// - Parameter program: The path of the program, as the kernel reports it; profiles deny by it.
    func authorize(
        _ request: AppRequest, by program: String?, of account: String,
        _ conversation: any AgentConversation
    ) async -> ExtensionAuthorizationResponse {
        let program = program ?? ""
        guard let found = configuration(for: request, of: account) else { return .notHandled }
        let decision = found.decision(
            on: SSORequest(
                callerBundleIdentifier: program,
                isUserInterfaceEnabled: request.isUserInterfaceEnabled))
        switch decision {
        case .ordinaryPath: return .notHandled
        case .cancel: return .canceled
        case .askExtension: break
        }
        guard let serving = profiles.extensions.authorization(for: found) else {
            return .notHandled
        }
        let number = calls.openRequest()
        defer { calls.closeRequest(number, events) }
        let manager = managers.manager(
            number, of: account, found, request.isUserInterfaceEnabled ? conversation : nil)
        return await serving.authorize(request.wire(program), manager)
    }

    private func configuration(
        for request: AppRequest, of account: String
    ) -> SSOConfiguration? {
        let matcher = profiles.state.installed.effective(for: account).matcher
        guard let realm = request.realm else { return matcher.redirect(for: request.url) }
        let host = (try? HTTPAddress(request.url))?.origin.host.description
        return matcher.credential(forRealm: realm)
            ?? host.flatMap { matcher.credential(forHost: $0) }
    }
}

extension AppRequest {
    fileprivate func wire(_ program: String) -> ExtensionAuthorizationRequest {
        var wire = ExtensionAuthorizationRequest(url: url, operation: operation)
        wire.headers = headers
        wire.body = body
        wire.realm = realm ?? ""
        wire.options = options
        wire.callerBundleIdentifier = program
        wire.callerDisplayName = program.split(separator: "/").last.map(String.init) ?? ""
        wire.isUserInterfaceEnabled = isUserInterfaceEnabled
        return wire
    }
}
