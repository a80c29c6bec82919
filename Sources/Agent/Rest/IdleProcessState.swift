// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// What the agent keeps in memory alone, for a rest: it goes through a pipe, which is memory as well, and
/// never lies on the disk.
package struct IdleProcessState: Sendable, Equatable {
    /// As much as a pipe surely holds.
    package static let greatestSize = 65_536

    var failures: [String: Timestamp]
    var lent: [String: [CachedKeyAgreement]]
    /// The boot-time clock when the record was saved: the time since then counts, however the date
    /// is set.
    var savedAt: Duration
    var rotationFailedAt: Timestamp?
    var unlockFailures: [String: Timestamp] = [:]

    package var json: JSONObject {
        let time = JSONValue.integer(Int64(savedAt / .milliseconds(1)))
        var object = JSONObject([.init(name: "saved_at", value: time)])
        object["rotation_failed_at"] = rotationFailedAt.map { .integer($0.milliseconds) }
        object["failures"] = Self.json(failures) { .integer($0.milliseconds) }
        object["unlock_failures"] = Self.json(unlockFailures) { .integer($0.milliseconds) }
        object["lent"] = Self.json(lent) { .array($0.map(\.json)) }
        return object
    }

    private static func json<Value>(
        _ values: [String: Value], _ json: (Value) -> JSONValue
    ) -> JSONValue {
        let members = values.sorted { $0.key < $1.key }
            .map { JSONObject.Member(name: $0.key, value: json($0.value)) }
        return .object(JSONObject(members))
    }

    /// `nil` when it is none: the agent then begins as after any other end.
    package init?(_ object: JSONObject) {
        guard let savedAt = object["saved_at"]?.integer,
            let failures = Self.times(object["failures"]),
            let unlockFailures = Self.times(object["unlock_failures"]),
            let lent = object["lent"]?.object
        else { return nil }
        self.init(
            failures: failures, lent: [:], savedAt: .milliseconds(savedAt),
            rotationFailedAt: object["rotation_failed_at"]?.integer
                .map { Timestamp(milliseconds: $0) })
        self.unlockFailures = unlockFailures
        for member in lent.members {
            self.lent[member.name] = (member.value.array ?? []).compactMap {
                CachedKeyAgreement($0)
            }
        }
    }

    private static func times(_ value: JSONValue?) -> [String: Timestamp]? {
        guard let members = value?.object?.members else { return nil }
        var times: [String: Timestamp] = [:]
        for member in members {
            guard let time = member.value.integer else { return nil }
            times[member.name] = Timestamp(milliseconds: time)
        }
        return times
    }

    init(
        failures: [String: Timestamp], lent: [String: [CachedKeyAgreement]], savedAt: Duration,
        rotationFailedAt: Timestamp? = nil
    ) {
        self.failures = failures
        self.lent = lent
        self.savedAt = savedAt
        self.rotationFailedAt = rotationFailedAt
    }
}
