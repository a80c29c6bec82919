// SPDX-License-Identifier: Apache-2.0

/// Every address that the provider answers. The one table that all bad-input tests take their
/// routes from; a test compares it with what discovery advertises.
struct ServerRoute: Sendable, CustomStringConvertible {
    enum Input: Sendable { case none, query, form, json }

    let method: String
    let path: String
    let input: Input

    var description: String { "\(method) \(path)" }

    init(_ method: String, _ path: String, _ input: Input = .none) {
        self.method = method
        self.path = path
        self.input = input
    }

    static let all: [ServerRoute] = documents + protocols + pages + ceremonies

    private static let documents = [
        ServerRoute("GET", "/.well-known/openid-configuration"),
        ServerRoute("GET", "/.well-known/oauth-authorization-server"),
        ServerRoute("GET", "/.well-known/gatehouse"),
        ServerRoute("GET", "/jwks"),
        ServerRoute("GET", "/health/live"),
        ServerRoute("GET", "/health/ready"),
        ServerRoute("GET", "/assets/gatehouse.css"),
    ]

    private static let protocols = [
        ServerRoute("GET", "/authorize", .query),
        ServerRoute("POST", "/authorize", .form),
        ServerRoute("POST", "/token", .form),
        ServerRoute("POST", "/introspect", .form),
        ServerRoute("POST", "/revoke", .form),
        ServerRoute("GET", "/userinfo"),
        ServerRoute("POST", "/userinfo", .form),
        ServerRoute("POST", "/device_authorization", .form),
        ServerRoute("POST", "/bc-authorize", .form),
        ServerRoute("GET", "/end_session", .query),
        ServerRoute("POST", "/end_session", .form),
    ]

    private static let pages = [
        ServerRoute("GET", "/", .query),
        ServerRoute("GET", "/sign-in", .query),
        ServerRoute("POST", "/sign-in", .form),
        ServerRoute("GET", "/choose-account", .query),
        ServerRoute("POST", "/choose-account", .form),
        ServerRoute("GET", "/register", .query),
        ServerRoute("POST", "/register", .form),
        ServerRoute("GET", "/recover", .query),
        ServerRoute("POST", "/recover", .form),
        ServerRoute("POST", "/recover/recovery-code", .form),
        ServerRoute("GET", "/first-password", .query),
        ServerRoute("POST", "/first-password", .form),
        ServerRoute("GET", "/device", .query),
        ServerRoute("POST", "/device", .form),
        ServerRoute("GET", "/handoff", .query),
        ServerRoute("GET", "/sign-out", .query),
        ServerRoute("POST", "/sign-out", .form),
        ServerRoute("GET", "/account", .query),
        ServerRoute("POST", "/account/password", .form),
        ServerRoute("POST", "/account/recovery-codes", .form),
    ]

    private static let ceremonies = [
        ServerRoute("POST", "/webauthn/registration/options", .json),
        ServerRoute("POST", "/webauthn/registration/verify", .json),
        ServerRoute("POST", "/webauthn/sign-in/options", .json),
        ServerRoute("POST", "/webauthn/sign-in/verify", .json),
    ]
}
