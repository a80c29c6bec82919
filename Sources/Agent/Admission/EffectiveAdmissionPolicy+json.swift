// SPDX-License-Identifier: Apache-2.0
import AgentClient
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

    init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        var policy = AdmissionPolicy(
            offlineGrace: try reader.required("offline_grace", .milliseconds),
            authenticationGrace: try reader.required("authentication_grace", .milliseconds),
            exemptAccounts: Set(try reader.required("exempt", .strings)),
            usesPasswords: try reader.required("passwords", .bool))
        for place in AdmissionPoint.allCases {
            guard let rule = try reader.optionalObject(place.rawValue) else { continue }
            policy.rules[place] = try AdmissionRule(rule)
        }
        self.init(policy, since: try reader.required("since", .milliseconds))
    }
}

extension AdmissionRule {
    fileprivate var json: JSONValue {
        [
            "demand": .string(demand.rawValue), "offline": .bool(allowsOffline),
            "unregistered": .bool(allowsUnregistered), "presence": .string(presence.rawValue),
        ]
    }

    fileprivate init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        self.init(
            try reader.required("demand", .choice),
            allowsOffline: try reader.required("offline", .bool),
            allowsUnregistered: try reader.required("unregistered", .bool),
            presence: try reader.required("presence", .choice))
    }
}
