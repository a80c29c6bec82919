// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Crypto
import Foundation
import GatehouseClient
import Primitives

/// The declarative state of a provider that registers by every method.
struct CeremonyState {
    let text: String

    init(
        authority: AttestationAuthority, issuerKey: P256.Signing.PublicKey,
        playKey: P256.Signing.PublicKey, vendors: Int, badges: Int
    ) throws {
        let roots: JSON = [.string(Base64.encode(try authority.root.der))]
        let fingerprint = AndroidAttestation.fingerprint
            .map { String(format: "%02X", $0) }.joined(separator: ":")
        let registration: JSON = [
            "methods": .array(CeremonyHouse.methods.map { .string($0.rawValue) }),
            "pin": ["use": "optional"], "device_scopes": ["weather"],
            "apple": [
                "applications": [.string(AppAttestation.application)],
                "environment": "development", "roots": roots, "checks_receipt": false,
                "device_check_key_id": "KEY7890123", "device_check_team_id": "TEAM123456",
                "device_check_address": .string("http://127.0.0.1:\(vendors)"),
                "device_check_key": .string(P256.Signing.PrivateKey().pemRepresentation),
            ],
            "android": [
                "applications": [
                    [
                        "package": .string(AndroidAttestation.application),
                        "fingerprints": [.string(fingerprint)],
                    ]
                ],
                "roots": roots, "revocation": "ignored",
                "play_verification_key": .string(
                    Base64.encode(Array(playKey.derRepresentation))),
                "play_decryption_key": .string(Base64.encode(CeremonyHouse.playSecret)),
            ],
            "identity_providers": [
                Self.provider("number", port: vendors, path: "people", twoStep: false),
                Self.provider("badge", port: badges, path: "", twoStep: true),
            ],
        ]
        text =
            JSON.object([
                "projects": [
                    [
                        "name": "default", "environment": "development",
                        "registration": registration, "clients": [Self.app],
                        "users": [DeclaredState.user("anna")],
                        "issuer_keys": [
                            [
                                "issuer": "https://idp.example", "kid": "k1", "alg": "ES256",
                                "public_key": .string(issuerKey.pemRepresentation),
                            ]
                        ],
                    ]
                ]
            ]).text
    }

    static let callback = "http://127.0.0.1/callback"

    private static let app: JSON = [
        "client_id": "app", "client_name": "App", "token_endpoint_auth_method": "none",
        "grant_types": [
            "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer",
            "urn:gatehouse:grant-type:passkey",
        ],
        "redirect_uris": [.string(callback)],
        "scope": "openid profile offline_access registration weather", "first_party": true,
    ]

    private static func provider(
        _ id: String, port: Int, path: String, twoStep: Bool
    ) -> JSON {
        [
            "id": .string(id), "name": .string(id.capitalized),
            "url": .string("http://127.0.0.1:\(port)/\(path)"), "two_step": .bool(twoStep),
        ]
    }
}
