// SPDX-License-Identifier: Apache-2.0
import Agent
import JOSE
import PlatformSSO
import Primitives
import Synchronization
import UserClient

/// A provider of which only the registration of machines is there, by the rules of
/// docs/platform-sso-provider.md, "Who is who". Machines have no serial number: their signing keys are all
/// that they are known by, and a token registers any machine.
final class PlayedRegistrar: WebTransport {
    fileprivate enum Life { case current, overlapping, ended }

    fileprivate struct Key {
        var life = Life.current
        let machine: Int
    }

    fileprivate struct State {
        var keys: [String: Key] = [:]
        /// Whether all people share the keys of each device.
        var sharing: [Bool] = []
        var lost: Set<String> = []
    }

    private struct Lost: Error {}
    private static let issuer = "https://idp.example.com"
    private let state = Mutex(State())
    private let encryption: PrivateJWK

    init() throws { encryption = try PrivateJWK.generate(for: .es256) }

    /// How many machines there ever were.
    var machines: Int { state.withLock { $0.sharing.count } }
    /// Those that live, each with one key.
    var living: Int { state.withLock { $0.keys.values.count { $0.life == .current } } }

    /// The next answer of `/devices` or `/leave` is lost, after it was dealt with.
    func loseAnswer(of path: String = "/devices") { _ = state.withLock { $0.lost.insert(path) } }
    /// Ends the grace period of replaced keys.
    func endOverlaps() { state.withLock { $0.end { $0.life == .overlapping } } }
    func revokeAll() { state.withLock { $0.end { _ in true } } }

    func answer(to request: WebRequest) async throws -> WebResponse {
        let path = String(request.url.dropFirst(Self.issuer.count))
        switch path {
        case "/.well-known/gatehouse": return Self.reply(200, Self.directory)
        case "/nonce": return Self.reply(200, ["Nonce": "server-nonce"])
        case "/jwks":
            var key = encryption.publicKey.json.object ?? JSONObject()
            key["use"] = "enc"
            return Self.reply(200, ["keys": [.object(key)]])
        default: break
        }
        let body = try JSONParser.parseObject(request.body ?? [], maximumBytes: 65_536)
        return try state.withLock { state in
            let reply = path == "/leave" ? state.leave(body) : state.register(body)
            if state.lost.remove(path) != nil { throw Lost() }
            return reply
        }
    }

    private static let directory: JSONValue = {
        let names = [
            "nonce": "/nonce", "jwks": "/jwks", "device_registration": "/devices",
            "unregistration": "/leave",
        ]
        let urls = names.map { ($0.key, JSONValue.string(issuer + $0.value)) }
        return [
            "issuer": .string(issuer),
            "platform_sso": .object(JSONObject(urls.map { .init(name: $0.0, value: $0.1) })),
        ]
    }()

    fileprivate static let configuration: JSONValue = [
        "issuer": .string(issuer), "client_id": "platform-sso", "audience": "platform-sso",
        "token_endpoint": .string(issuer + "/token"), "jwks_endpoint": .string(issuer + "/jwks"),
        "nonce_endpoint": .string(issuer + "/nonce"),
        "refresh_endpoint": .string(issuer + "/refresh"),
        "key_endpoint": .string(issuer + "/key"),
    ]

    fileprivate static func reply(_ status: Int, _ value: JSONValue) -> WebResponse {
        WebResponse(status: status, body: value.bytes)
    }

    fileprivate static func refusal(_ code: String) -> WebResponse {
        reply(400, ["error": .string(code)])
    }

    /// Which key made a proof; whether it did is not looked at.
    static func keyID(_ proof: JSONValue?) -> String? {
        guard let header = proof?.string?.split(separator: ".").first,
            let bytes = Base64URL.decode(String(header))
        else { return nil }
        return (try? JSONParser.parseObject(bytes, maximumBytes: 4096))?["kid"]?.string
    }
}

extension PlayedRegistrar.State {
    fileprivate mutating func end(_ isMeant: (PlayedRegistrar.Key) -> Bool) {
        for (name, key) in keys where isMeant(key) { keys[name]?.life = .ended }
    }

    fileprivate mutating func register(_ body: JSONObject) -> WebResponse {
        guard let name = PlayedRegistrar.keyID(body["signing_key_proof"]) else {
            return PlayedRegistrar.refusal("malformed")
        }
        if let refusal = refusal(of: name, body) { return PlayedRegistrar.refusal(refusal) }
        return PlayedRegistrar.reply(201, PlayedRegistrar.configuration)
    }

    /// `nil` when the machine is registered by that key now.
    private mutating func refusal(of name: String, _ body: JSONObject) -> String? {
        if keys[name]?.life == .current { return nil }
        let isShared = body["shared_keys"]?.bool ?? false
        if let proof = body["previous_key_proof"] {
            guard let previous = PlayedRegistrar.keyID(proof), let old = keys[previous],
                old.life == .current
            else { return "device_unknown" }
            guard keys[name] == nil else { return "key_taken" }
            let wasShared = sharing[old.machine]
            guard isShared || !wasShared else { return "device_taken" }
            keys[previous]?.life = wasShared == isShared ? .overlapping : .ended
            sharing[old.machine] = isShared
            keys[name] = PlayedRegistrar.Key(machine: old.machine)
            return nil
        }
        guard body["registration_token"] != nil else { return "registration_refused" }
        guard keys[name] == nil else { return "key_taken" }
        keys[name] = PlayedRegistrar.Key(machine: sharing.count)
        sharing.append(isShared)
        return nil
    }

    fileprivate mutating func leave(_ body: JSONObject) -> WebResponse {
        guard let name = PlayedRegistrar.keyID(body["proof"]), let key = keys[name],
            key.life == .current
        else { return PlayedRegistrar.refusal("device_unknown") }
        end { $0.machine == key.machine }
        return PlayedRegistrar.reply(200, ["removed": true])
    }
}
