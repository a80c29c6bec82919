// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// What a program asks of the agent over its socket: the first message of a connection.
package struct AgentRequest: Sendable, Equatable {
    package enum Verb: String, Sendable, CaseIterable {
        case status
        case arrived
        case registerDevice = "register_device"
        case registerUser = "register_user"
        case unregisterDevice = "unregister_device"
        case unregisterUser = "unregister_user"
        case signIn = "sign_in"
        case refresh
        case token
        case authorize
        case admit
        case seal
        case unseal
        case reload
        case rotate
        case picture
    }

    package static let version: Int64 = 1

    package var verb: Verb
    /// The account; root may name another one.
    package var account: String?
    package var repair: Bool
    /// Whether the provider is not to be told of an unregistration.
    package var localOnly = false
    /// Whether the caller can open pages on this device; otherwise pages are shown with a code.
    package var hasBrowser = true
    /// The secret to seal, the object to open, or what an app or a login program asks.
    package var content: JSONValue?

    package init(
        _ verb: Verb, account: String? = nil, repair: Bool = false, content: JSONValue? = nil
    ) {
        self.verb = verb
        self.account = account
        self.repair = repair
        self.content = content
    }

    package var json: JSONObject {
        var object = JSONObject([.init(name: "version", value: .integer(Self.version))])
        object["request"] = .string(verb.rawValue)
        object["account"] = account.map(JSONValue.string)
        if repair { object["repair"] = true }
        if localOnly { object["local_only"] = true }
        if !hasBrowser { object["browser"] = false }
        object["content"] = content
        return object
    }

    /// Members that are not known do not matter, so that a newer program can ask an older agent.
    package init?(_ object: JSONObject) {
        guard object["version"]?.integer == Self.version,
            let verb = object["request"]?.string.flatMap({ Verb(rawValue: $0) })
        else { return nil }
        self.init(
            verb, account: object["account"]?.string, repair: object["repair"]?.bool ?? false,
            content: object["content"])
        localOnly = object["local_only"]?.bool ?? false
        hasBrowser = object["browser"]?.bool ?? true
    }
}
