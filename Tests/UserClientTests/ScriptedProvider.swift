// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Support
import Synchronization
import UserClient

/// An issuer that answers as it is told: what the tests of the client talk to.
final class ScriptedProvider: WebTransport {
    static let issuer = "https://login.example.com"

    private struct State {
        var metadata: JSONObject
        var tokenReplies: [WebResponse] = []
        var forms: [[String: String]] = []
        var urls: [String] = []
        var isDown = false
    }

    private let state: Mutex<State>
    private let signer: JOSESigner
    let clock = ManualClock()

    init() throws {
        signer = try JOSESigner(PrivateJWK.generate(for: .es256))
        var metadata = JSONObject()
        metadata["issuer"] = .string(Self.issuer)
        metadata["authorization_endpoint"] = .string(Self.issuer + "/authorize")
        metadata["token_endpoint"] = .string(Self.issuer + "/token")
        metadata["jwks_uri"] = .string(Self.issuer + "/jwks")
        metadata["userinfo_endpoint"] = .string(Self.issuer + "/userinfo")
        metadata["revocation_endpoint"] = .string(Self.issuer + "/revoke")
        metadata["device_authorization_endpoint"] = .string(Self.issuer + "/device")
        metadata["authorization_response_iss_parameter_supported"] = true
        state = Mutex(State(metadata: metadata))
    }

    var client: OpenIDClient {
        OpenIDClient(clientID: "cli", web: self, clock: clock, random: SeededRandom())
    }

    /// What was sent to the endpoints, in order.
    var forms: [[String: String]] { state.withLock { $0.forms } }
    var urls: [String] { state.withLock { $0.urls } }

    func set(metadata name: String, _ value: JSONValue?) {
        state.withLock { $0.metadata[name] = value }
    }

    func goDown() { state.withLock { $0.isDown = true } }

    /// The next answers of the token endpoint; the last is repeated.
    func answerTokens(_ replies: WebResponse...) { state.withLock { $0.tokenReplies = replies } }

    func answer(to request: WebRequest) async throws -> WebResponse {
        struct Down: Error {}
        let form = request.body.map(Self.form) ?? [:]
        return try state.withLock { state in
            if state.isDown { throw Down() }
            state.urls.append(request.url)
            if request.method == "POST" { state.forms.append(form) }
            switch request.url.dropFirst(Self.issuer.count) {
            case "/.well-known/openid-configuration":
                return Self.reply(200, .object(state.metadata))
            case "/jwks":
                let key = signer.publicKey?.json ?? .null
                return Self.reply(200, ["keys": [key]])
            case "/token":
                return state.tokenReplies.count > 1
                    ? state.tokenReplies.removeFirst()
                    : state.tokenReplies.first ?? Self.error("invalid_grant")
            case "/userinfo": return Self.reply(200, ["sub": "s1", "name": "Anna"])
            case "/revoke": return WebResponse(status: 200, body: [])
            case "/device":
                return Self.reply(
                    200,
                    [
                        "device_code": "d1", "user_code": "BCDF-GHJK", "expires_in": 600,
                        "interval": 5, "verification_uri": "https://login.example.com/device",
                    ])
            default: return WebResponse(status: 404, body: [])
            }
        }
    }

    static func reply(_ status: Int, _ value: JSONValue) -> WebResponse {
        WebResponse(status: status, body: value.bytes)
    }

    static func error(_ code: String) -> WebResponse {
        reply(400, ["error": .string(code), "error_description": "because"])
    }

    /// A token response; claims are laid over those of a right ID token.
    func tokens(
        _ accessToken: String = "a1", refresh: String? = "r1", nonce: String? = nil,
        claims changes: [String: JSONValue] = [:]
    ) throws -> WebResponse {
        var claims = JSONObject()
        claims["iss"] = .string(Self.issuer)
        claims["aud"] = "cli"
        claims["sub"] = "s1"
        claims["iat"] = .integer(clock.now.seconds)
        claims["exp"] = .integer(clock.now.seconds + 300)
        claims["nonce"] = nonce.map { .string($0) }
        for (name, value) in changes { claims[name] = value }
        let idToken = try signer.sign(payload: claims.bytes, typ: "JWT")
        var answer = JSONObject()
        answer["access_token"] = .string(accessToken)
        answer["token_type"] = "Bearer"
        answer["expires_in"] = 300
        answer["refresh_token"] = refresh.map { .string($0) }
        answer["id_token"] = .string(String(decoding: idToken, as: UTF8.self))
        return Self.reply(200, .object(answer))
    }

    private static func form(_ body: [UInt8]) -> [String: String] {
        var form: [String: String] = [:]
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
            guard parts.count == 2, let name = FormEncoding.decode(parts[0]) else { continue }
            form[name] = FormEncoding.decode(parts[1])
        }
        return form
    }
}
