// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
import SingleSignOn

/// The machine as it lies in the agent's state file.
extension RegistrationStateMachine {
    package var json: JSONValue {
        var object = JSONObject()
        object["spread"] = .integer(spread.milliseconds)
        object["last_attempt"] = .integer(Int64(clamping: lastAttempt))
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
        return .object(object)
    }

    private static func entry(
        _ owner: DeviceOwner, _ phase: JSONObject, _ pending: ExtensionRequestOptions
    ) -> JSONValue {
        var object = phase
        object["owner"] = .string(owner.text)
        if !pending.isEmpty { object["pending"] = .integer(Int64(pending.rawValue)) }
        return .object(object)
    }

    /// `nil` when it is not a machine's.
    package init?(_ value: JSONValue) {
        guard let spread = value["spread"]?.integer,
            let last = value["last_attempt"]?.integer.flatMap({ UInt64(exactly: $0) }),
            let devices = value["devices"]?.array, let people = value["people"]?.array,
            let outgoing = value["outgoing"]?.strings
        else { return nil }
        self.init(spread: TimeSpan(milliseconds: spread))
        lastAttempt = last
        if let plan = value["plan"] {
            guard let plan = RegistrationPlan(plan) else { return nil }
            self.plan = plan
        }
        for entry in devices {
            guard let (owner, pending) = Self.head(entry), let phase = DevicePhase(entry) else {
                return nil
            }
            self.devices[owner] = DeviceRegistrationState(phase, pending: pending)
        }
        for entry in people {
            guard case (.person(let name), let pending)? = Self.head(entry),
                let phase = PersonPhase(entry)
            else { return nil }
            self.people[name] = PersonRegistrationState(phase, pending: pending)
        }
        self.outgoing = outgoing.compactMap { DeviceOwner($0) }
        leavingAt = value["leave_at"]?.integer.map { Timestamp(milliseconds: $0) }
    }

    private static func head(_ entry: JSONValue) -> (DeviceOwner, ExtensionRequestOptions)? {
        guard let owner = entry["owner"]?.string.flatMap({ DeviceOwner($0) }),
            let pending = UInt(exactly: entry["pending"]?.integer ?? 0)
        else { return nil }
        return (owner, ExtensionRequestOptions(rawValue: pending))
    }
}

extension DeviceOwner {
    /// `*`, or `+` and the account.
    package var text: String {
        switch self {
        case .everyone: "*"
        case .person(let name): "+" + name
        }
    }

    package init?(_ text: String) {
        if text == "*" {
            self = .everyone
        } else if text.hasPrefix("+"), text.count > 1 {
            self = .person(String(text.dropFirst()))
        } else {
            return nil
        }
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

    init?(_ value: JSONValue) {
        guard let name = value["extension"]?.string, let method = value["method"]?.string,
            let shared = value["shared_keys"]?.bool, let token = value["token"]?.bool,
            let service = value["key_service"]?.bool, let revision = value["revision"]?.string,
            let exempt = value["exempt"]?.strings
        else { return nil }
        self.init(
            extensionIdentifier: name, method: method, sharesDeviceKeys: shared, hasToken: token,
            usesKeyService: service, exemptAccounts: Set(exempt),
            accounts: value["accounts"]?.strings.map { Set($0) },
            tokenAccounts: Set(value["token_accounts"]?.strings ?? []), revision: revision)
    }
}

extension RegistrationAttempt {
    func add(to object: inout JSONObject) {
        object["attempt"] = .integer(Int64(clamping: number))
        object["options"] = .integer(Int64(clamping: options.rawValue))
        object["presence"] = presence.map(JSONValue.string)
    }

    init?(_ value: JSONValue) {
        guard let number = value["attempt"]?.integer.flatMap({ UInt64(exactly: $0) }),
            let options = value["options"]?.integer.flatMap({ UInt(exactly: $0) })
        else { return nil }
        self.init(
            number: number, options: ExtensionRequestOptions(rawValue: options),
            presence: value["presence"]?.string)
    }
}

extension DevicePhase {
    /// A stable word.
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

    init?(_ value: JSONValue) {
        switch value["phase"]?.string {
        case "waiting": self = .waiting
        case "refused": self = .refused
        case "registered": self = .registered
        case "registering":
            guard let attempt = RegistrationAttempt(value) else { return nil }
            self = .registering(attempt)
        case "retrying":
            guard let time = value["at"]?.integer else { return nil }
            self = .retrying(at: Timestamp(milliseconds: time))
        default: return nil
        }
    }
}

extension PersonPhase {
    /// A stable word.
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

    init?(_ value: JSONValue) {
        let time = value["at"]?.integer.map { Timestamp(milliseconds: $0) }
        switch (value["phase"]?.string, time) {
        case ("waiting-for-device", _): self = .waitingForDevice
        case ("waiting", _): self = .waiting
        case ("refused", _): self = .refused
        case ("signing-in", _): self = .signingIn
        case ("registered", _): self = .registered
        case ("retrying", let time?): self = .retrying(at: time)
        case ("binding-later", let time?): self = .bindingLater(at: time)
        case ("registering", _):
            guard let attempt = RegistrationAttempt(value) else { return nil }
            self = .registering(attempt)
        case ("binding-key", _):
            guard let number = value["attempt"]?.integer.flatMap({ UInt64(exactly: $0) }) else {
                return nil
            }
            self = .bindingKey(attempt: number)
        default: return nil
        }
    }
}
