// SPDX-License-Identifier: Apache-2.0
import Agent
import JOSE
import PlatformSSO
import Primitives
import Support
import Synchronization
import UserClient

/// The part of Gatehouse's provider that registers devices and keys for a person who signs in on
/// its page or with a phone. It identifies people by username, and accepts every key.
final class PlayedPages: WebTransport {
    private struct State {
        var subject: String? = "s1"
        var nonce: String?
        /// Who registered a key, by what their page gave them.
        var registered: [PublicJWK] = []
        /// The names of the machine's keys whose place others took.
        var retired: Set<String> = []
        var isAnswerLost = false
    }

    private struct Lost: Error {}

    private let state = Mutex(State())
    private let signer: JOSESigner
    private let encryption: PrivateJWK
    private let clock: ManualClock

    init(clock: ManualClock) throws {
        self.clock = clock
        signer = try JOSESigner(PrivateJWK.generate(for: .es256))
        encryption = try PrivateJWK.generate(for: .es256)
    }

    /// Sets the person who signs in on the page; `nil` for tokens without an identity.
    func letIn(_ subject: String?) { state.withLock { $0.subject = subject } }
    /// The next answer to a machine that registers is lost, after it was dealt with.
    func loseAnswer() { state.withLock { $0.isAnswerLost = true } }
    /// The page that was opened says it.
    func expect(nonce: String?) { state.withLock { $0.nonce = nonce } }
    /// The keys of people, in order.
    var keys: [PublicJWK] { state.withLock { $0.registered } }

    func answer(to request: WebRequest) async throws -> WebResponse {
        switch request.url.dropFirst(PlayedProvider.issuer.count) {
        case "/.well-known/gatehouse":
            Self.reply(200, ["issuer": .string(PlayedProvider.issuer), "platform_sso": Self.urls])
        case "/.well-known/openid-configuration": Self.reply(200, Self.metadata)
        case "/nonce": Self.reply(200, ["Nonce": "server-nonce"])
        case "/keys": Self.reply(200, ["keys": [Self.encryptionKey(encryption)]])
        case "/page-keys": Self.reply(200, ["keys": [signer.publicKey?.json ?? .null]])
        case "/phone":
            Self.reply(
                200,
                [
                    "device_code": "d1", "user_code": "BCDF-GHJK", "expires_in": 600,
                    "interval": 5, "verification_uri": Self.url("/phone"),
                ])
        case "/page-token": Self.reply(200, try tokens())
        case "/devices": try registerMachine(request)
        case "/users": try register(request)
        default: WebResponse(status: 404, body: [])
        }
    }

    private func registerMachine(_ request: WebRequest) throws -> WebResponse {
        let body = try JSONParser.parseObject(request.body ?? [], maximumBytes: 65_536)
        let name = PlayedRegistrar.keyID(body["signing_key_proof"])
        return try state.withLock { state in
            guard let name, !state.retired.contains(name) else {
                return Self.reply(400, ["error": "registration_refused"])
            }
            if let before = PlayedRegistrar.keyID(body["previous_key_proof"]) {
                state.retired.insert(before)
            }
            defer { state.isAnswerLost = false }
            if state.isAnswerLost { throw Lost() }
            return Self.reply(201, Self.configuration)
        }
    }

    private func register(_ request: WebRequest) throws -> WebResponse {
        let body = try JSONParser.parseObject(request.body ?? [], maximumBytes: 65_536)
        let machine = PlayedRegistrar.keyID(body["device_proof"]) ?? ""
        guard !state.withLock({ $0.retired.contains(machine) }) else {
            return Self.reply(400, ["error": "device_unknown"])
        }
        guard request.headers.contains(where: { $0 == ("authorization", "Bearer page") }),
            let key = body["user_key"]?.object,
            case .publicKey(let read)? = try? JSONWebKey(key)
        else { return Self.reply(400, ["error": "malformed"]) }
        state.withLock { $0.registered.append(read) }
        return Self.reply(201, [:])
    }

    private func tokens() throws -> JSONValue {
        let (subject, nonce) = state.withLock { ($0.subject, $0.nonce) }
        var answer = JSONObject()
        answer["access_token"] = "page"
        answer["token_type"] = "Bearer"
        answer["expires_in"] = 300
        if let subject {
            var claims = JSONObject()
            claims["iss"] = .string(PlayedProvider.issuer)
            claims["aud"] = "platform-sso"
            claims["sub"] = .string(subject)
            claims["iat"] = .integer(clock.now.seconds)
            claims["exp"] = .integer(clock.now.seconds + 300)
            claims["nonce"] = nonce.map(JSONValue.string)
            let token = try signer.sign(payload: claims.bytes, typ: "JWT")
            answer["id_token"] = .string(String(decoding: token, as: UTF8.self))
        }
        return .object(answer)
    }

    // MARK: What it always says

    private static func reply(_ status: Int, _ value: JSONValue) -> WebResponse {
        WebResponse(status: status, body: value.bytes)
    }

    private static func url(_ path: String) -> JSONValue { .string(PlayedProvider.issuer + path) }

    private static func encryptionKey(_ key: PrivateJWK) -> JSONValue {
        var object = key.publicKey.json.object ?? JSONObject()
        object["use"] = "enc"
        return .object(object)
    }

    private static var urls: JSONValue {
        [
            "nonce": url("/nonce"), "jwks": url("/keys"), "device_registration": url("/devices"),
            "user_registration": url("/users"),
        ]
    }

    private static var metadata: JSONValue {
        [
            "issuer": .string(PlayedProvider.issuer),
            "authorization_endpoint": url("/authorize"), "token_endpoint": url("/page-token"),
            "jwks_uri": url("/page-keys"), "device_authorization_endpoint": url("/phone"),
        ]
    }

    /// Passwords are not taken.
    private static var configuration: JSONValue {
        [
            "issuer": .string(PlayedProvider.issuer), "client_id": "platform-sso",
            "audience": "platform-sso", "token_endpoint": url("/token"),
            "jwks_endpoint": url("/jwks"), "nonce_endpoint": url("/nonce"),
            "refresh_endpoint": url("/refresh"), "key_endpoint": url("/key"),
            "methods": ["user_key"],
        ]
    }
}
