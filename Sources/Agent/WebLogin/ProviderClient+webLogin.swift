// SPDX-License-Identifier: Apache-2.0
import JOSE
package import PlatformSSO
import Primitives
import UserClient

/// The provider's half of a web login (Apple "Implementing web-based authentication with Platform SSO").
extension ProviderClient {
    /// Where the person's web login begins.
    ///
    /// - Parameter type: `openID` or `dynamicOpenID`.
    func webLoginStart(
        _ user: UserLoginConfiguration, _ type: FederationType
    ) async throws(ProviderError) -> WebLoginStart {
        switch type {
        case .openID:
            let state = Base64URL.encode(exchange.random.bytes(24))
            return try Self.trusted { () throws(PlatformSSORefusal) in
                try WebLoginStart(
                    configured: configuration.authorizationURL ?? "",
                    clientID: configuration.clientID, state: state)
            }
        case .dynamicOpenID:
            let reply = try await preauthentication(user)
            return try Self.trusted { () throws(PlatformSSORefusal) in
                try WebLoginStart(
                    discovery: reply, keyPath: configuration.authorizationURLKeypath ?? "")
            }
        case .none, .wsTrust, .dynamicWSTrust:
            throw .later("the configuration has no sign-in page")
        }
    }

    /// What `federationUserPreauthenticationURL` says of the person.
    func preauthentication(
        _ user: UserLoginConfiguration
    ) async throws(ProviderError) -> [UInt8] {
        guard let url = configuration.preauthenticationURL(user: user.loginUserName) else {
            throw .later("the configuration has no URL for preauthentication")
        }
        let reply = try await exchange.preauthentication(url)
        guard reply.status == 200 else { throw ProviderExchange.later(reply) }
        return reply.body
    }

    /// The page to open, for an answer that comes to `listener`: the provider's own address, or ours that
    /// posts what the device has signed.
    func webLoginPage(
        _ user: UserLoginConfiguration, _ start: WebLoginStart, _ listener: LoopbackListener
    ) async throws(ProviderError) -> String {
        let context = LoginRequestContext(
            configuration: configuration, user: user, device: identity, serverNonce: "",
            now: exchange.clock.now, random: AnyRandomSource(exchange.random))
        let redirect = listener.redirectURI
        let draft = try Self.written { () throws(JOSEError) in
            try context.authorization(start, redirectURI: redirect)
        }
        guard let draft else { return context.authorizationURL(start, redirectURI: redirect) }
        let message = String(decoding: try await sign(draft, with: signing), as: UTF8.self)
        return listener.show(
            LoopbackForm(
                action: start.authorizationURL, fields: [("request", message)],
                random: AnyRandomSource(exchange.random)))
    }

    /// With the address at which the page ended.
    package func signIn(
        _ user: UserLoginConfiguration, webLogin callback: WebLoginCallback, groups: [String] = []
    ) async throws(ProviderError) -> VerifiedLogin {
        try await login(user, groups) { _ throws(ProviderError) in .webLogin(callback) }
    }

    static func trusted<Value>(
        _ read: () throws(PlatformSSORefusal) -> Value
    ) throws(ProviderError) -> Value {
        do throws(PlatformSSORefusal) { return try read() } catch { throw .notTrusted("\(error)") }
    }
}
