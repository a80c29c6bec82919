// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import ProviderCore
import ProviderDevices

/// `/.well-known/gatehouse`: named URLs, one object for each protocol, the registration methods
/// that the project offers, and the versions of the PIN protocol.
struct GatehouseDocument: Sendable {
    let issuer: String
    var asksForEndorsements = false
    /// The offered registration methods.
    var methods: [String] = []

    var json: [UInt8] {
        let document: JSONValue = [
            "issuer": .string(issuer),
            "registration": [
                "methods": .array(methods.map(JSONValue.string)),
                "page": at("/register"),
                "sign_in_page": at("/sign-in"),
                "account_page": at("/account"),
                "recovery_page": at("/recover"),
                "challenge": at("/registration/challenge"),
                "register": at("/registration"),
                "identity_providers": at("/registration/identity-providers"),
                "start": at("/registration/start"),
                "cancel": at("/registration/cancel"),
                "sign_in_challenge": at("/registration/sign-in/challenge"),
                "pin_challenge": at("/registration/pin/challenge"),
                "pin": at("/registration/pin"),
                "authenticators": at("/registration/authenticators"),
                "authenticator_challenge": at("/registration/authenticators/challenge"),
                "passkeys": at("/registration/passkeys"),
                "passkey_options": at("/registration/passkeys/options"),
                "passkey_sign_in": at("/registration/passkeys/sign-in"),
                "approvals": at("/registration/approvals"),
                "approval_claim": at("/registration/approvals/claim"),
                "approval_enrollment": at("/registration/approvals/enrollment"),
                "web_handoff": at("/registration/web-handoff"),
                "installations": at("/registration/installations"),
                "sign_ins": at("/registration/sign-ins"),
                "account": at("/registration/account"),
                "openapi": at("/registration/openapi.json"),
            ],
            "pin": [
                "versions": .array(
                    PINProtocolVersion.allCases.map { .integer(Int64($0.rawValue)) })
            ],
            "browser_client": [
                "release": at("/client"),
                "module": at("/client/gatehouse.js"),
                "types": at("/client/gatehouse.d.ts"),
            ],
            "entitlements": [
                "entitlements": at("/entitlements"),
                "consume": at("/entitlements/consume"),
                "openapi": at("/entitlements/openapi.json"),
            ],
            "webauthn": [
                "registration_options": at("/webauthn/registration/options"),
                "registration_verify": at("/webauthn/registration/verify"),
                "sign_in_options": at("/webauthn/sign-in/options"),
                "sign_in_verify": at("/webauthn/sign-in/verify"),
                "unregistration": at("/webauthn/unregister"),
                "related_origins": ofHost("/.well-known/webauthn"),
                "app_association": ofHost("/.well-known/apple-app-site-association"),
                "asset_links": ofHost("/.well-known/assetlinks.json"),
            ],
            "platform_sso": platformSSO,
            "admin": [
                "api": at("/admin/v1"),
                "openapi": at("/admin/v1/openapi.json"),
            ],
        ]
        return document.bytes
    }

    private var platformSSO: JSONValue {
        var places = [
            ("nonce", at(PlatformSSOEndpointInfo.noncePath)),
            ("token", at(PlatformSSOEndpointInfo.tokenPath)),
            ("refresh", at(PlatformSSOEndpointInfo.refreshPath)),
            ("key", at(PlatformSSOEndpointInfo.keyPath)),
            ("jwks", at(PlatformSSOEndpointInfo.jwksPath)),
            ("device_registration", at(PlatformSSOEndpointInfo.devicesPath)),
            ("user_registration", at(PlatformSSOEndpointInfo.usersPath)),
            ("unregistration", at(PlatformSSOEndpointInfo.unregistrationPath)),
            ("web_login", at(PlatformSSOEndpointInfo.webLoginPath)),
            ("authorize", at(PlatformSSOEndpointInfo.authorizePath)),
            ("federation", at(PlatformSSOEndpointInfo.federationPath)),
            ("setup", at(SetupAssistant.requirementPath)),
            ("app_association", ofHost("/.well-known/apple-app-site-association")),
        ]
        if asksForEndorsements {
            places.append(("device_endorsement", at(PlatformSSOEndpointInfo.endorsementPath)))
        }
        return .object(JSONObject(places.map { .init(name: $0.0, value: $0.1) }))
    }

    /// A URL at the root of the host, whatever the path of the issuer is.
    private func ofHost(_ path: String) -> JSONValue {
        .string((SiteOrigin(issuer: issuer)?.origin ?? "") + path)
    }

    private func at(_ path: String) -> JSONValue { .string(issuer + path) }
}
