// SPDX-License-Identifier: Apache-2.0
import Agent
import JOSE
import OAuth
import PlatformSSO
import Primitives
import Support
import Synchronization
import UserClient

/// A provider that answers as Apple's documents say, and then wrongly, as it is told.
final class PlayedProvider: WebTransport {
    /// One way of being wrong.
    enum Fault: String, Sendable, CaseIterable {
        case noNonce, nonceStatus, plainAnswer, emptyAnswer, oversized, hpke, anotherRecipient
        case anotherAPV, anotherNonce, anotherIssuer, anotherAudience, expired, unsigned
        case foreignSignature, noRefreshToken, noLifetime, noKeys, notJSON
    }

    private struct State {
        var fault: Fault?
        var status: Int?
        var code = "no"
        /// The next request to that path is answered so.
        var refusal: (path: String, status: Int)?
        var isAway = false
        var isUnknowing = false
        /// What it does before it answers a request to that path.
        var interlude: (path: String, play: @Sendable () async throws -> Void)?
        var requests: [String] = []
        var generation = 1
        var keys: [UserKey] = []
        var certificate = PlayedProvider.certificate
        var lifetime: TimeSpan?
        var chain: [[UInt8]]?
        var groups: [String] = []
        var changes: [String: JSONValue?] = [:]
        var welcome: (@Sendable (VerifiedLoginRequest.Credential) -> Bool)?
        var logins: [JSONObject] = []
    }

    static let issuer = "https://idp.example.com"
    /// Of the unlock key: self-signed, until 2125.
    static let certificate: [UInt8] =
        Base64URL.decode(
            "MIIBCzCBs6ADAgECAgEBMAoGCCqGSM49BAMCMA8xDTALBgNVBAMMBGFubmEwIBcNMjUwMTAxMDAw"
                + "MDAwWhgPMjEyNTAxMDEwMDAwMDBaMA8xDTALBgNVBAMMBGFubmEwWTATBgcqhkjOPQIBBggqhkjO"
                + "PQMBBwNCAARxNfpP2ToJ3OmLv2gbS_z1DnwNY1TmKvsL_yo0KWF4Ze1MHwLduQI-"
                + "5WpVflFdap3GbBHyIJYN5ZQzTfWId2ckMAoGCCqGSM49BAMCA0cAMEQCIFev74J6PLp4XfgbbItM"
                + "V7uvv42iCI2VLlaLBZM09a1gAiBvXYLRcqaZ8-zT5Fw1bEHjffF7e_WEEARZO62P067u7Q") ?? []
    static let password = "correct horse battery staple"

    private let state = Mutex(State())
    private let clock: ManualClock
    private let signer: JOSESigner
    private let foreign: JOSESigner
    private let random = SeededRandom(seed: 7)
    let unlock: PrivateJWK
    let device: DeviceKeys

    /// - Parameters:
    ///   - device: The device whose requests it accepts.
    ///   - signing: Its signing key; a new one by default.
    init(clock: ManualClock, device: DeviceKeys, signing: PrivateJWK? = nil) throws {
        self.clock = clock
        self.device = device
        signer = try JOSESigner(signing ?? PrivateJWK.generate(for: .es256), algorithm: .es256)
        foreign = try JOSESigner(PrivateJWK.generate(for: .es256))
        unlock = try PrivateJWK(scalar: Secret([UInt8](repeating: 9, count: 32)), on: .p256)
    }

    static var configuration: LoginConfiguration {
        var configuration = LoginConfiguration(
            clientID: "platform-sso", issuer: issuer, tokenEndpointURL: issuer + "/token",
            jwksEndpointURL: issuer + "/jwks", audience: "platform-sso")
        configuration.refreshEndpointURL = issuer + "/refresh"
        configuration.keyEndpointURL = issuer + "/key"
        return configuration
    }

    func fail(_ fault: Fault?) { state.withLock { $0.fault = fault } }
    func answer(_ status: Int?, code: String = "no") {
        state.withLock { ($0.status, $0.code) = (status, code) }
    }
    func refuseOnce(at path: String, with status: Int) {
        state.withLock { $0.refusal = (path, status) }
    }
    /// Registers the key of a card or of a person.
    func accept(_ key: UserKey) { state.withLock { $0.keys.append(key) } }
    /// Publishes its key with certificates, its own first.
    func certify(_ chain: [[UInt8]]) { state.withLock { $0.chain = chain } }
    /// What its ID tokens say of people.
    func say(groups: [String]) { state.withLock { $0.groups = groups } }
    /// Changes or removes members of the responses. A refused response consumes no token.
    func say(_ changes: [String: JSONValue?]) { state.withLock { $0.changes = changes } }
    func goAway(_ isAway: Bool = true) { state.withLock { $0.isAway = isAway } }

    /// Who else is let in: what pages and token services gave them.
    func welcome(_ judge: @escaping @Sendable (VerifiedLoginRequest.Credential) -> Bool) {
        state.withLock { $0.welcome = judge }
    }

    /// What login requests said.
    var logins: [JSONObject] { state.withLock { $0.logins } }

    /// Whether it knows no such machine.
    func forget(_ isUnknowing: Bool = true) { state.withLock { $0.isUnknowing = isUnknowing } }
    /// Happens once, after the next request to that path was dealt with and before its answer goes out.
    func meanwhile(
        _ path: String = "/refresh", _ interlude: @escaping @Sendable () async throws -> Void
    ) {
        state.withLock { $0.interlude = (path, interlude) }
    }

    /// What was asked, by path; the nonce endpoint is the token endpoint.
    var requests: [String] { state.withLock { $0.requests } }

    private var fault: Fault? { state.withLock { $0.fault } }

    func answer(to request: WebRequest) async throws -> WebResponse {
        struct Away: Error {}
        let path = String(request.url.dropFirst(Self.issuer.count))
        let form = Self.form(request.body ?? [])
        let isNonce = form.contains { $0.name == "grant_type" && $0.value == "srv_challenge" }
        let (isAway, status) = state.withLock { state in
            state.requests.append(isNonce ? "nonce" : path)
            return (state.isAway, state.status)
        }
        if isAway { throw Away() }
        if path == "/jwks" { return reply(fault == .noKeys ? ["keys": []] : keys) }
        if isNonce { return nonce() }
        let refusal = state.withLock { state -> Int? in
            guard state.refusal?.path == path else { return nil }
            defer { state.refusal = nil }
            return state.refusal?.status
        }
        let reply = try judged(form, refusal ?? status)
        let interlude = state.withLock { state in
            guard let found = state.interlude, found.path == path else { return nil as Interlude? }
            state.interlude = nil
            return found.play
        }
        try await interlude?()
        return reply
    }

    private typealias Interlude = @Sendable () async throws -> Void

    private func judged(_ form: [FormField], _ status: Int?) throws -> WebResponse {
        if state.withLock({ $0.isUnknowing }) {
            return WebResponse(status: 400, body: Array(#"{"error":"device_unknown"}"#.utf8))
        }
        if let status {
            let body: JSONValue = ["error": .string(state.withLock { $0.code })]
            return WebResponse(status: status, body: body.bytes)
        }
        return try handle(form)
    }

    private var keys: JSONValue {
        var key = signer.publicKey?.json.object ?? JSONObject()
        if let chain = state.withLock({ $0.chain }) {
            key["x5c"] = .array(chain.map { .string(Base64.encode($0)) })
        }
        return ["keys": [.object(key)]]
    }

    private func nonce() -> WebResponse {
        switch fault {
        case .noNonce: reply(["Nonsense": "x"])
        case .nonceStatus: WebResponse(status: 503, body: [])
        default: reply(["Nonce": "server-nonce"])
        }
    }

    private func reply(_ value: JSONValue) -> WebResponse {
        WebResponse(status: 200, body: value.bytes)
    }

    private func handle(_ form: [FormField]) throws -> WebResponse {
        guard case .request(_, let text) = try RequestForm(form) else {
            return WebResponse(status: 400, body: [])
        }
        let verifier = RequestVerifier(
            .init(
                clientID: "platform-sso",
                endpoints: ["/token", "/refresh", "/key"].map { Self.issuer + $0 },
                audience: "platform-sso"))
        let now = clock.now
        switch try UnverifiedRequest(compact: Array(text.utf8)) {
        case .login(let request):
            let known = state.withLock { $0.keys }
            let judged = verifier.verify(
                request, device: device, keys: LoginKeys(user: known), now: now)
            guard case .success(let verified) = judged else {
                return WebResponse(status: 401, body: [])
            }
            let welcome = state.withLock { state in
                state.logins.append(verified.facts.claims)
                return state.welcome
            }
            guard welcome?(verified.credential) == true || Self.isRight(verified.credential) else {
                return WebResponse(status: 401, body: [])
            }
            return try login(verified.facts)
        case .refresh(let request):
            let verified = try verifier.verify(request, device: device, now: now).get()
            let isLiving = state.withLock { state in
                guard verified.refreshToken == Secret("r\(state.generation)") else { return false }
                if state.changes.isEmpty { state.generation += 1 }
                return true
            }
            return isLiving ? try login(verified.facts) : WebResponse(status: 401, body: [])
        case .key(let request):
            let verified = try verifier.verify(request, device: device, now: now).get()
            let content: KeyResponse.Content =
                switch verified.operation {
                case .exchange(let other, _):
                    .key(try KeyResponse.agree(provisioned: unlock, other: other))
                default: .certificate(try certificate())
                }
            return WebResponse(
                status: 200,
                body: try KeyResponse(content, keyContext: nil, now: now).sealed(
                    for: verified.facts.response, random: random))
        case .authorization: return WebResponse(status: 400, body: [])
        }
    }

    private static func isRight(_ credential: VerifiedLoginRequest.Credential) -> Bool {
        switch credential {
        case .password(let given, _): given == Secret(password)
        case .smartCard, .secureEnclaveKey: true
        case .saml, .webLogin: false
        }
    }

    /// Issues new certificates with that lifetime for unlock keys; `nil` for the certificate of
    /// before.
    func certify(for lifetime: TimeSpan?) { state.withLock { $0.lifetime = lifetime } }

    private func certificate() throws -> [UInt8] {
        guard let lifetime = state.withLock({ $0.lifetime }) else {
            return state.withLock { $0.certificate }
        }
        let made = try PlayedCertificate.make(unlock, from: clock.now, for: lifetime)
        state.withLock { $0.certificate = made }
        return made
    }

    private func login(_ facts: VerifiedRequestClaims) throws -> WebResponse {
        var claims = JSONObject()
        claims["iss"] = .string(fault == .anotherIssuer ? "https://other.example.com" : Self.issuer)
        claims["aud"] = .string(fault == .anotherAudience ? "other" : "platform-sso")
        claims["sub"] = "s1"
        claims["nonce"] = .string(fault == .anotherNonce ? "other" : facts.nonce)
        claims["iat"] = .integer(clock.now.seconds)
        claims["exp"] = .integer(clock.now.seconds + (fault == .expired ? -300 : 300))
        let groups = state.withLock { $0.groups }
        if !groups.isEmpty { claims["groups"] = .array(groups.map(JSONValue.string)) }
        for (name, value) in state.withLock({ $0.changes }) { claims[name] = value }
        let by = fault == .foreignSignature ? foreign : signer
        var token = String(
            decoding: try by.sign(payload: claims.bytes, typ: "JWT"), as: UTF8.self)
        if fault == .unsigned {
            token = token.split(separator: ".").prefix(2).joined(separator: ".")
        }
        let response = LoginResponse(
            idToken: token, refreshToken: Secret("r\(state.withLock { $0.generation })"),
            refreshTokenExpiresIn: .days(30), expiresIn: .hours(1))
        return WebResponse(status: 200, body: try sealed(response, facts))
    }

    private func sealed(_ response: LoginResponse, _ facts: VerifiedRequestClaims) throws -> [UInt8]
    {
        var content = JSONObject()
        switch fault {
        case .plainAnswer: return response.json
        case .emptyAnswer: return []
        case .oversized: return [UInt8](repeating: 0x41, count: 300_000)
        case .notJSON: return Array("<html>".utf8)
        case .hpke:
            let header = Base64URL.encode(
                Array(#"{"alg":"HPKE-P256-SHA256-A256GCM","enc":"dir"}"#.utf8))
            return Array("\(header).AAAA...".utf8)
        case .anotherRecipient:
            let other = try PrivateJWK.generate(for: .es256).publicKey
            let wrong = ResponseEncryption(recipient: other, apv: facts.response.apv)
            return try response.sealed(for: wrong, random: random)
        case .anotherAPV:
            let wrong = ResponseEncryption(
                recipient: facts.response.recipient, apv: facts.response.apv + [0])
            return try response.sealed(for: wrong, random: random)
        case .noRefreshToken: content["id_token"] = .string(response.idToken)
        case .noLifetime:
            content["id_token"] = .string(response.idToken)
            content["refresh_token"] = "r"
        default: return try response.sealed(for: facts.response, random: random)
        }
        return try facts.response.seal(content.bytes, type: .loginResponse, random: random)
    }

    private static func form(_ body: [UInt8]) -> [FormField] {
        body.split(separator: UInt8(ascii: "&")).compactMap { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
            guard parts.count == 2, let name = FormEncoding.decode(parts[0]),
                let value = FormEncoding.decode(parts[1])
            else { return nil }
            return FormField(name, value)
        }
    }
}
