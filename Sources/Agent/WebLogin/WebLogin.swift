// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
package import PlatformSSO
import Primitives
import SingleSignOn
import UserClient

/// A person signs in on a page, in the ordinary browser of this machine, whose answer comes to a port of
/// loopback (RFC 8252 section 7.3).
///
/// Whatever else comes to that port is told that it belongs elsewhere, and waiting goes on: another
/// `state`, another issuer (RFC 9207). What came is of use to this device alone, which signs for it.
package struct WebLogin: Sendable {
    private let client: ProviderClient
    private let user: UserLoginConfiguration
    private let type: FederationType
    /// `WebLoginURLAllowList`; empty where it says nothing.
    private let hosts: [String]

    package init(
        _ client: ProviderClient, _ user: UserLoginConfiguration, _ type: FederationType,
        hosts: [String] = []
    ) {
        self.client = client
        self.user = user
        self.type = type
        self.hosts = hosts
    }

    /// - Parameter patience: How long the person may take.
    /// - Throws: ``ProviderError``; ``PresentationError/cancelled`` when the person said no, has gone,
    ///   or does not come back.
    package func run(
        _ conversation: any AgentConversation, patience: Duration
    ) async throws -> WebLoginCallback {
        let start = try await client.webLoginStart(user, type)
        guard isAllowed(start.authorizationURL) else {
            throw ProviderError.notTrusted("the profile does not let its page be opened")
        }
        let issuer = client.configuration.issuer
        let listener = try await LoopbackListener.start { answer in
            Self.isExpected(answer, state: start.state, issuer: issuer)
        }
        do {
            let page = try await client.webLoginPage(user, start, listener)
            _ = try await conversation.ask(.page(page))
            let answer = await Self.answer(to: listener, conversation, patience)
            await listener.stop()
            return try Self.callback(answer, start)
        } catch {
            await listener.stop()
            throw error
        }
    }

    private static func isExpected(
        _ answer: [String: String], state: String, issuer: String
    ) -> Bool {
        guard let given = answer["state"],
            ConstantTime.equal(Array(given.utf8), Array(state.utf8))
        else { return false }
        return answer["iss"].map { $0.hasSameBytes(as: issuer) } ?? true
    }

    /// `nil` when it was waited for in vain.
    private static func answer(
        to listener: LoopbackListener, _ conversation: any AgentConversation, _ patience: Duration
    ) async -> LoopbackListener.Redirect? {
        await withTaskGroup(of: LoopbackListener.Redirect?.self) { group in
            group.addTask { await listener.answer() }
            group.addTask {
                await conversation.end()
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }

    private static func callback(
        _ answer: LoopbackListener.Redirect?, _ start: WebLoginStart
    ) throws -> WebLoginCallback {
        guard let answer, answer.parameters["error"] != "access_denied" else {
            throw PresentationError.cancelled
        }
        if let code = answer.parameters["error"] {
            let shown = code.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }.prefix(64)
            throw ProviderError.later(
                "its page ended with " + shown.map(String.init).joined())
        }
        return try ProviderClient.trusted { () throws(PlatformSSORefusal) in
            let callback = try WebLoginCallback(answer.url)
            try callback.check(state: start.state)
            return callback
        }
    }

    /// An ordinary browser cannot be kept to the list once it is open; where it begins can be.
    private func isAllowed(_ url: String) -> Bool {
        guard !hosts.isEmpty else { return true }
        guard let address = try? HTTPAddress(url) else { return false }
        return hosts.contains { entry in
            guard !entry.contains("://") else {
                return (try? HTTPAddress(entry))?.origin == address.origin
            }
            return HostName(entry) == address.origin.host
        }
    }
}
