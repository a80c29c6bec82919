// SPDX-License-Identifier: Apache-2.0
import Primitives
package import SingleSignOn

/// Requests of apps, on their way to the extension that a profile chose for their address.
extension Agent {
    /// Whatever goes wrong on this side, an app's request then goes its ordinary way; only the person, or
    /// a locked screen, ends it.
    ///
    /// - Parameter program: What the kernel says that asks; profiles deny by its path.
    package func authorize(
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
        guard let serving = extensions.authorization(for: found) else { return .notHandled }
        let number = openRequest()
        defer { closeRequest(number) }
        let manager = RegistrationCallHandle(
            agent: self, attempt: number,
            owner: record.machine.plan?.owner(of: account) ?? .everyone,
            account: account, extensionData: found.extensionData ?? [], registrationToken: nil,
            facts: facts, keys: keys, makesKeys: false,
            authenticationMethod: found.authenticationMethod ?? .password,
            conversation: request.isUserInterfaceEnabled ? conversation : nil)
        return await serving.authorize(request.wire(program), manager)
    }

    private func configuration(
        for request: AppRequest, of account: String
    ) -> SSOConfiguration? {
        let matcher = installed.effective(for: account).matcher
        guard let realm = request.realm else { return matcher.redirect(for: request.url) }
        let host = (try? HTTPAddress(request.url))?.origin.host.description
        return matcher.credential(forRealm: realm)
            ?? host.flatMap { matcher.credential(forHost: $0) }
    }

    /// A number that no registration ever has: those count from 1.
    func openRequest() -> UInt64 {
        lastRequest += 1
        let number = UInt64.max - lastRequest
        calls[number] = PendingExtensionCall(task: Task {}, limit: Task {})
        return number
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
