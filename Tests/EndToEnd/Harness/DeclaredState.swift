// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Declarative state for `gatehouse apply`: JSON, which is YAML as well.
struct DeclaredState {
    var clients: [JSON] = []
    var users: [JSON] = []
    /// The policy of the project, if it differs from the default.
    var policy: JSON = .null
    /// Rules for passkeys and security keys.
    var webauthn: JSON = .null
    /// Apps of Apple's systems.
    var associatedApps: JSON = .null
    var platformSSO: JSON = .null
    /// Rules for app installations.
    var registration: JSON = .null

    static let password = "correct horse battery staple"
    static let secret = "a-long-machine-made-secret-0123456789"

    var text: String {
        var project: [String: JSON] = [
            "name": "default", "environment": "development", "clients": .array(clients),
            "users": .array(users),
        ]
        if policy != .null { project["policy"] = policy }
        if webauthn != .null { project["webauthn"] = webauthn }
        if associatedApps != .null { project["associated_apps"] = associatedApps }
        if platformSSO != .null { project["platform_sso"] = platformSSO }
        if registration != .null { project["registration"] = registration }
        return JSON.object(["projects": .array([.object(project)])]).text
    }

    static func user(_ name: String, email: String? = nil) -> JSON {
        [
            "username": .string(name), "name": .string(name.capitalized),
            "email": .string(email ?? "\(name)@example.com"), "email_verified": true,
            "password": .string(password),
        ]
    }

    /// A confidential web client with code and refresh; more metadata overrides.
    static func web(_ id: String, redirect: String, _ more: [String: JSON] = [:]) -> JSON {
        let base: [String: JSON] = [
            "client_id": .string(id), "client_name": .string(id.capitalized),
            "client_secret": .string(secret),
            "token_endpoint_auth_method": "client_secret_basic",
            "grant_types": ["authorization_code", "refresh_token"],
            "redirect_uris": [.string(redirect)],
            "scope": "openid profile email offline_access", "first_party": true,
        ]
        return .object(base.merging(more) { $1 })
    }

    static func service(_ id: String, scope: String = "api") -> JSON {
        [
            "client_id": .string(id), "client_name": .string(id.capitalized),
            "client_secret": .string(secret), "grant_types": ["client_credentials"],
            "token_endpoint_auth_method": "client_secret_basic", "scope": .string(scope),
        ]
    }
}
