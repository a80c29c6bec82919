// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives
import SingleSignOn

/// The registrations in the agent's state file.
extension Registrations {
    func add(to object: inout JSONObject) {
        object["plan"] = plan?.json
        object["devices"] = .array(
            orderedOwners.compactMap { owner in
                devices[owner].map { Self.entry(owner, $0.phase.json, $0.pending) }
            })
        object["people"] = .array(
            orderedPeople.compactMap { person in
                people[person].map { Self.entry(.person(person), $0.phase.json, $0.pending) }
            })
        object["outgoing"] = .array(outgoing.map { .string($0.text) })
        object["leave_at"] = leavingAt.map { .integer($0.milliseconds) }
    }

    private static func entry(
        _ owner: DeviceOwner, _ phase: JSONObject, _ pending: ExtensionRequestOptions
    ) -> JSONValue {
        var object = phase
        object["owner"] = .string(owner.text)
        if !pending.isEmpty { object["pending"] = .integer(Int64(pending.rawValue)) }
        return .object(object)
    }

    init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        plan = try reader.optionalObject("plan").map(RegistrationPlan.init)
        for entry in try reader.objects("devices") {
            devices[try entry.required("owner", .owner)] = SubjectState(
                try DevicePhase(entry), pending: try Self.pending(entry))
        }
        for entry in try reader.objects("people") {
            guard case .person(let name) = try entry.required("owner", .owner) else {
                throw entry.malformed("owner", "a person")
            }
            people[name] = SubjectState(
                try PersonPhase(entry), pending: try Self.pending(entry))
        }
        outgoing = try reader.required("outgoing", .strings).compactMap { DeviceOwner($0) }
        leavingAt = try reader.optional("leave_at", .milliseconds)
    }

    private static func pending(
        _ entry: JSONReader<JSONMemberError>
    ) throws(JSONMemberError) -> ExtensionRequestOptions {
        ExtensionRequestOptions(rawValue: UInt(try entry.optional("pending", .unsigned) ?? 0))
    }
}

extension JSONForm<UInt64> {
    static var unsigned: JSONForm {
        JSONForm<Int64>.integer.map("a whole number from 0") { UInt64(exactly: $0) }
    }
}

extension JSONForm<DeviceOwner> {
    static var owner: JSONForm {
        JSONForm<String>.string.map("an owner") { DeviceOwner($0) }
    }
}

extension RegistrationPlan {
    var json: JSONValue {
        var object = JSONObject([
            .init(name: "extension", value: .string(extensionIdentifier)),
            .init(name: "method", value: .string(method)),
            .init(name: "shared_keys", value: .bool(sharesDeviceKeys)),
            .init(name: "token", value: .bool(hasToken)),
            .init(name: "key_service", value: .bool(usesKeyService)),
            .init(name: "revision", value: .string(revision)),
            .init(name: "exempt", value: Self.list(exemptAccounts)),
        ])
        object["accounts"] = accounts.map { Self.list($0) }
        if !tokenAccounts.isEmpty { object["token_accounts"] = Self.list(tokenAccounts) }
        return .object(object)
    }

    private static func list(_ names: Set<String>) -> JSONValue {
        .array(names.sorted().map(JSONValue.string))
    }

    init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        self.init(
            extensionIdentifier: try reader.required("extension", .string),
            method: try reader.required("method", .string),
            sharesDeviceKeys: try reader.required("shared_keys", .bool),
            hasToken: try reader.required("token", .bool),
            usesKeyService: try reader.required("key_service", .bool),
            exemptAccounts: Set(try reader.required("exempt", .strings)),
            accounts: try reader.optional("accounts", .strings).map { Set($0) },
            tokenAccounts: Set(try reader.optional("token_accounts", .strings) ?? []),
            revision: try reader.required("revision", .string))
    }
}

extension RegistrationAttempt {
    func add(to object: inout JSONObject) {
        object["attempt"] = .integer(Int64(clamping: number))
        object["options"] = .integer(Int64(clamping: options.rawValue))
        object["presence"] = presence.map(JSONValue.string)
    }

    init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        self.init(
            number: try reader.required("attempt", .unsigned),
            options: .init(rawValue: UInt(try reader.required("options", .unsigned))),
            presence: try reader.optional("presence", .string))
    }
}

extension DevicePhase {
    /// The stable name in the state file.
    package var name: String {
        switch self {
        case .waiting: "waiting"
        case .registering: "registering"
        case .retrying: "retrying"
        case .refused: "refused"
        case .registered: "registered"
        }
    }

    var json: JSONObject {
        var object = JSONObject([.init(name: "phase", value: .string(name))])
        switch self {
        case .registering(let attempt): attempt.add(to: &object)
        case .retrying(let time): object["at"] = .integer(time.milliseconds)
        case .waiting, .refused, .registered: break
        }
        return object
    }

    init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        switch try reader.required("phase", .string) {
        case "waiting": self = .waiting
        case "refused": self = .refused
        case "registered": self = .registered
        case "registering": self = .registering(try RegistrationAttempt(reader))
        case "retrying": self = .retrying(at: try reader.required("at", .milliseconds))
        default: throw reader.malformed("phase", "a phase of a device")
        }
    }
}

extension PersonPhase {
    /// The stable name in the state file.
    package var name: String {
        switch self {
        case .waitingForDevice: "waiting-for-device"
        case .waiting: "waiting"
        case .registering: "registering"
        case .retrying: "retrying"
        case .refused: "refused"
        case .signingIn: "signing-in"
        case .bindingKey: "binding-key"
        case .bindingLater: "binding-later"
        case .registered: "registered"
        }
    }

    var json: JSONObject {
        var object = JSONObject([.init(name: "phase", value: .string(name))])
        switch self {
        case .registering(let attempt): attempt.add(to: &object)
        case .retrying(let time), .bindingLater(let time):
            object["at"] = .integer(time.milliseconds)
        case .bindingKey(let number): object["attempt"] = .integer(Int64(clamping: number))
        default: break
        }
        return object
    }

    init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        switch try reader.required("phase", .string) {
        case "waiting-for-device": self = .waitingForDevice
        case "waiting": self = .waiting
        case "refused": self = .refused
        case "signing-in": self = .signingIn
        case "registered": self = .registered
        case "retrying": self = .retrying(at: try reader.required("at", .milliseconds))
        case "binding-later": self = .bindingLater(at: try reader.required("at", .milliseconds))
        case "registering": self = .registering(try RegistrationAttempt(reader))
        case "binding-key":
            self = .bindingKey(attempt: try reader.required("attempt", .unsigned))
        default: throw reader.malformed("phase", "a phase of a person")
        }
    }
}
