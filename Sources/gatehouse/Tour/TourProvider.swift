// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import JOSE
import Platform
import Primitives
import UserClient

/// The tour's provider: `gatehouse serve` with two apps, an issuer key for registration, and a
/// person with a password who may register a laptop.
struct TourProvider: Sendable {
    static let issuerOfPeople = "https://accounts.example"
    /// The file with the key of that issuer, in the directory of the tour.
    static let vouchingKeyFile = "service.pem"
    /// The directory of the provider's data, in the same directory.
    static let data = "data"
    static let dora = "dora"

    let issuer: String
    /// The private issuer key of the app's service, with which it signs tokens for its people.
    let vouchingKey: String
    /// Dora's password, random for each tour.
    let password: String
    /// The client secret with which the app's service introspects tokens, also random.
    let serviceSecret: String

    static func start(in house: TourResources) async throws -> TourProvider {
        let key = P256.Signing.PrivateKey()
        let provider = TourProvider(
            issuer: house.wire.issuer, vouchingKey: key.pemRepresentation,
            password: Base64URL.encode(SystemRandomSource().bytes(18)),
            serviceSecret: Base64URL.encode(SystemRandomSource().bytes(32)))
        try house.folder.write(provider.vouchingKey, to: vouchingKeyFile)
        let state = provider.state(vouchedBy: key.publicKey.pemRepresentation)
        try house.folder.write(state.text, to: "state.json")
        let port = try freePort()
        let service = try house.start(
            "the tour's provider",
            [
                "serve", "--data-dir", data, "--issuer", provider.issuer, "--listen",
                "127.0.0.1:\(port)", "--apply", "state.json", "--log-level", "error",
            ])
        let web = WebClient()
        try await service.wait {
            let answer = try? await web.send("GET", "http://127.0.0.1:\(port)/health/ready")
            return answer?.status == 200
        }
        house.wire.exchange.connect(to: port)
        return provider
    }

    private func state(vouchedBy key: String) -> JSONValue {
        [
            "projects": [
                [
                    "name": "default", "environment": "development",
                    "clients": .array(["notes", "tasks"].map(Self.app) + [notesService]),
                    "registration": [
                        "methods": ["signedJWT"], "pin": ["use": "optional"],
                        "federated_deregistration": true, "device_scopes": ["weather"],
                    ],
                    "issuer_keys": [
                        [
                            "issuer": .string(Self.issuerOfPeople), "kid": "k1", "alg": "ES256",
                            "public_key": .string(key),
                        ]
                    ],
                    "users": [
                        [
                            "username": .string(Self.dora), "name": "Dora",
                            "password": .string(password),
                        ]
                    ],
                    "platform_sso": ["enabled": true, "allowed_methods": ["password"]],
                ]
            ]
        ]
    }

    private static func app(_ name: String) -> JSONValue {
        [
            "client_id": .string(name), "client_name": .string(name.capitalized),
            "token_endpoint_auth_method": "none",
            "grant_types": [
                "authorization_code", "refresh_token",
                "urn:ietf:params:oauth:grant-type:jwt-bearer",
                "urn:gatehouse:grant-type:passkey",
                "urn:ietf:params:oauth:grant-type:token-exchange",
            ],
            "exchange_audiences": [.string(TourNotes.audience)],
            "redirect_uris": ["http://127.0.0.1/callback"],
            "scope": "openid profile offline_access registration weather notes",
            "first_party": true, "id_token_signed_response_alg": "ES256",
        ]
    }

    private var notesService: JSONValue {
        [
            "client_id": .string(TourNotes.audience), "client_name": "Notes, the service",
            "client_secret": .string(serviceSecret),
            "token_endpoint_auth_method": "client_secret_basic",
            "grant_types": ["client_credentials"],
        ]
    }

    /// A port that no process listened on a moment ago.
    static func freePort() throws -> Int {
        guard let port = try? LoopbackPort.free() else {
            throw CommandError("no port for the tour's provider")
        }
        return port
    }
}
