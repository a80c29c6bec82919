// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The terms as they lie in the sealed state file.
extension EffectiveAdmissionPolicy {
    var json: JSONValue {
        var object = JSONObject([.init(name: "since", value: .integer(since.milliseconds))])
        object["offline_grace"] = .integer(policy.offlineGrace.milliseconds)
        object["authentication_grace"] = .integer(policy.authenticationGrace.milliseconds)
        object["exempt"] = .array(policy.exemptAccounts.sorted().map(JSONValue.string))
        object["passwords"] = .bool(policy.usesPasswords)
        for place in AdmissionPoint.allCases {
            object[place.rawValue] = policy.rules[place]?.json
        }
        return .object(object)
    }

    init?(_ value: JSONValue) {
        guard let since = value["since"]?.integer, let offline = value["offline_grace"]?.integer,
            let authentication = value["authentication_grace"]?.integer,
            let exempt = value["exempt"]?.strings, let usesPasswords = value["passwords"]?.bool
        else { return nil }
        var policy = AdmissionPolicy(
            offlineGrace: TimeSpan(milliseconds: offline),
            authenticationGrace: TimeSpan(milliseconds: authentication),
            exemptAccounts: Set(exempt), usesPasswords: usesPasswords)
        for place in AdmissionPoint.allCases {
            guard let text = value[place.rawValue] else { continue }
            guard let rule = AdmissionRule(text) else { return nil }
            policy.rules[place] = rule
        }
        self.init(policy, since: Timestamp(milliseconds: since))
    }
}

extension AdmissionRule {
    fileprivate var json: JSONValue {
        [
            "demand": .string(demand.rawValue), "offline": .bool(allowsOffline),
            "unregistered": .bool(allowsUnregistered), "presence": .string(presence.rawValue),
        ]
    }

    fileprivate init?(_ value: JSONValue) {
        guard let demand = value["demand"]?.string.flatMap({ Demand(rawValue: $0) }),
            let presence = value["presence"]?.string.flatMap({ Presence(rawValue: $0) }),
            let allowsOffline = value["offline"]?.bool,
            let allowsUnregistered = value["unregistered"]?.bool
        else { return nil }
        self.init(
            demand, allowsOffline: allowsOffline, allowsUnregistered: allowsUnregistered,
            presence: presence)
    }
}
