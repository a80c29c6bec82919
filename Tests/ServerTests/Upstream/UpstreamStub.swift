// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import ProviderCore
import Synchronization
import Testing

@testable import HTTPServer

/// A fake upstream provider in this process: discovery, keys, tokens, user info. It validates
/// requests strictly, and its responses are as wrong as a test requires.
final class UpstreamStub: OutgoingHTTP {
    static let issuer = "https://acme.example"
    static let secret = "secret of acme"

    /// What it does differently.
    struct Behaviour: Sendable {
        var subject = "acme-7"
        /// Of the ID token; `null` takes a claim out.
        var claims: [String: JSONValue] = [:]
        var metadata: [String: JSONValue] = [:]
        var userInfo: [String: JSONValue] = [:]
        /// The responses that replace the regular ones, by path.
        var answers: [String: OutgoingResponse] = [:]
        var unreachable: Set<String> = []
        /// Which key signs, which are published.
        var signs = 0
        var publishes = [0]
        var type = "JWT"
        var leavesOutIDToken = false
        var tokenType = "Bearer"
        /// To which key its ID tokens are encrypted.
        var encryptsTo: PublicJWK?
        /// How its user info comes.
        var userInfoForm = UserInfoForm.json
    }

    enum UserInfoForm: Sendable { case json, signed, encrypted, encryptedAndSigned }

    struct Authorization: Sendable {
        var parameters: [String: String]
    }

    private struct State {
        var behaviour = Behaviour()
        var authorizations: [String: Authorization] = [:]
        var asked: [String] = []
        var lastToken: [String: String] = [:]
        var lastHeaders: [String: String] = [:]
    }

    private let state = Mutex(State())
    private let keys: [PrivateJWK]
    private let clock: any WallClock

    init(clock: any WallClock) throws {
        self.clock = clock
        keys = try [PrivateJWK.generate(for: .es256), PrivateJWK.generate(for: .es256)]
    }

    func change(_ change: (inout Behaviour) -> Void) { state.withLock { change(&$0.behaviour) } }

    /// The paths that were asked for, in order.
    var asked: [String] { state.withLock { $0.asked } }
    /// The form that came to the token endpoint last.
    var lastToken: [String: String] { state.withLock { $0.lastToken } }
    var lastHeaders: [String: String] { state.withLock { $0.lastHeaders } }

    /// Performs the authorization request as a person's browser: it agrees, and is redirected back.
    func authorize(
        _ location: String, adding extra: [String: String] = ["iss": UpstreamStub.issuer]
    ) throws -> String {
        let parts = location.split(separator: "?", maxSplits: 1).map(String.init)
        #expect(parts[0] == Self.issuer + "/authorize")
        let parameters = try FormParameters(Array(parts[1].utf8)).values
        let code = Base64URL.encode(SystemRandomSource().bytes(16))
        state.withLock { $0.authorizations[code] = Authorization(parameters: parameters) }
        let redirect = try #require(parameters["redirect_uri"])
        let state = try #require(parameters["state"])
        let answer = ["code": code, "state": state].merging(extra) { $1 }
            .sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        return redirect + "?" + FormEncoding.encode(answer)
    }

    // MARK: Answers

    func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingResponse {
        let text = request.address.text
        let path = String(text.dropFirst(Self.issuer.utf8.count))
        state.withLock {
            $0.asked.append(path)
            $0.lastHeaders = Dictionary(request.headers.map { ($0.name, $0.value) }) { $1 }
        }
        let behaviour = state.withLock { $0.behaviour }
        guard text.hasPrefix(Self.issuer), !behaviour.unreachable.contains(path) else {
            throw OutgoingHTTPError(.unreachable, "nobody there")
        }
        if let answer = behaviour.answers[path] { return answer }
        switch path {
        case "/.well-known/openid-configuration": return Self.json(metadata(behaviour))
        case "/jwks":
            let published = behaviour.publishes.map { keys[$0].publicKey.json }
            return Self.json(["keys": .array(published)])
        case "/token": return token(request, behaviour)
        case "/userinfo": return userInfo(request, behaviour)
        default: return OutgoingResponse(status: 404)
        }
    }

    private func metadata(_ behaviour: Behaviour) -> JSONValue {
        var object = JSONObject()
        object["issuer"] = .string(Self.issuer)
        object["authorization_endpoint"] = .string(Self.issuer + "/authorize")
        object["token_endpoint"] = .string(Self.issuer + "/token")
        object["userinfo_endpoint"] = .string(Self.issuer + "/userinfo")
        object["jwks_uri"] = .string(Self.issuer + "/jwks")
        object["id_token_signing_alg_values_supported"] = ["ES256"]
        object["authorization_response_iss_parameter_supported"] = true
        for (name, value) in behaviour.metadata { object[name] = value == .null ? nil : value }
        return .object(object)
    }

    private func token(_ request: OutgoingRequest, _ behaviour: Behaviour) -> OutgoingResponse {
        let form = (try? FormParameters(request.body ?? []))?.values ?? [:]
        let given: Authorization? = state.withLock { state in
            state.lastToken = form
            // A code is redeemed once.
            return form["code"].flatMap { state.authorizations.removeValue(forKey: $0) }
        }
        guard let given, form["redirect_uri"] == given.parameters["redirect_uri"],
            let challenge = given.parameters["code_challenge"].flatMap(CodeChallenge.init),
            let verifier = form["code_verifier"], challenge.isMet(by: verifier)
        else { return Self.json(["error": "invalid_grant"], status: 400) }
        var answer = JSONObject()
        answer["access_token"] = "at-1"
        answer["token_type"] = .string(behaviour.tokenType)
        if given.parameters["scope"]?.contains("openid") == true, !behaviour.leavesOutIDToken {
            answer["id_token"] = .string(idToken(given, behaviour))
        }
        return Self.json(.object(answer))
    }

    private func idToken(_ given: Authorization, _ behaviour: Behaviour) -> String {
        let now = clock.now.seconds
        var claims: [String: JSONValue] = [
            "iss": .string(Self.issuer), "sub": .string(behaviour.subject), "aud": "gatehouse",
            "iat": .integer(now), "exp": .integer(now + 300), "auth_time": .integer(now),
            "preferred_username": "anna", "name": "Anna of Acme", "email": "anna@acme.example",
            "email_verified": true,
        ]
        claims["nonce"] = given.parameters["nonce"].map(JSONValue.string)
        for (name, value) in behaviour.claims { claims[name] = value == .null ? nil : value }
        let object = JSONObject(
            claims.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
        let token = signed(object, typ: behaviour.type, behaviour)
        return String(
            decoding: behaviour.encryptsTo.map { encrypted(token, to: $0) } ?? token,
            as: UTF8.self)
    }

    private func signed(_ object: JSONObject, typ: String, _ behaviour: Behaviour) -> [UInt8] {
        let signer = try? JOSESigner(keys[behaviour.signs])
        return (try? signer?.sign(payload: object.bytes, typ: typ)) ?? []
    }

    private func encrypted(_ token: [UInt8], to key: PublicJWK) -> [UInt8] {
        let members = [JSONObject.Member(name: "kid", value: .string(key.keyID ?? ""))]
        let sealed = try? JWEEncrypter(
            key: .publicKey(key), algorithm: .ecdhES, encryption: .a256GCM
        ).encrypt(
            token, options: .init(contentType: "JWT", members: members),
            random: SystemRandomSource())
        return sealed ?? []
    }

    /// Returns the logout token after a person's sign-out there.
    func logoutToken(
        _ changes: [String: JSONValue] = [:], typ: String = "logout+jwt", to key: PublicJWK? = nil
    ) -> String {
        let behaviour = state.withLock { $0.behaviour }
        let now = clock.now.seconds
        var claims: [String: JSONValue] = [
            "iss": .string(Self.issuer), "aud": "gatehouse", "iat": .integer(now),
            "exp": .integer(now + 120), "sub": .string(behaviour.subject),
            "jti": .string(Base64URL.encode(SystemRandomSource().bytes(16))),
            "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
        ]
        for (name, value) in changes { claims[name] = value == .null ? nil : value }
        let object = JSONObject(
            claims.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
        let token = signed(object, typ: typ, behaviour)
        return String(decoding: key.map { encrypted(token, to: $0) } ?? token, as: UTF8.self)
    }

    private func userInfo(_ request: OutgoingRequest, _ behaviour: Behaviour) -> OutgoingResponse {
        let authorization = request.headers.first { $0.name == "authorization" }?.value
        guard authorization == "Bearer at-1" else { return OutgoingResponse(status: 401) }
        var claims: [String: JSONValue] = [
            "sub": .string(behaviour.subject), "locale": "de", "id": 4711, "login": "annika",
        ]
        if behaviour.userInfoForm != .json {
            claims["iss"] = .string(Self.issuer)
            claims["aud"] = "gatehouse"
        }
        for (name, value) in behaviour.userInfo { claims[name] = value == .null ? nil : value }
        let object = JSONObject(
            claims.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
        let body: [UInt8]
        switch behaviour.userInfoForm {
        case .json: return Self.json(.object(object))
        case .signed: body = signed(object, typ: "JWT", behaviour)
        case .encrypted:
            body = behaviour.encryptsTo.map { encrypted(object.bytes, to: $0) } ?? []
        case .encryptedAndSigned:
            let token = signed(object, typ: "JWT", behaviour)
            body = behaviour.encryptsTo.map { encrypted(token, to: $0) } ?? []
        }
        return OutgoingResponse(
            status: 200, headers: ["content-type": "application/jwt; charset=utf-8"], body: body)
    }

    static func json(_ value: JSONValue, status: Int = 200) -> OutgoingResponse {
        OutgoingResponse(
            status: status, headers: ["content-type": "application/json"], body: value.bytes)
    }
}
