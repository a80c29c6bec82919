// SPDX-License-Identifier: Apache-2.0
package import JOSE
import PlatformSSO
package import Primitives

/// `gatehouse inspect platform-sso`: `{"message","keys":[JWK],"nonce"?,"now"?}`. What the message is,
/// what it says, and every check with its outcome, also when it is refused. Without `now`, the
/// machine's clock; `nonce` is needed only for answers whose header leaves `apv` out.
package enum InspectPlatformSSO {
    package static func verdict(
        for input: JSONValue, clock: any WallClock = SystemWallClock()
    ) -> JSONValue {
        guard let message = input["message"]?.string else {
            return Verdict.badInput("\"message\" must be a string").json
        }
        let keys: [JSONWebKey]
        do throws(JOSEError) {
            guard let read = try self.keys(input["keys"]) else {
                return Verdict.badInput("\"keys\" must be a list of JWKs").json
            }
            keys = read
        } catch { return Verdict(error).json }
        let now = input["now"]?.integer.map { Timestamp(seconds: $0) } ?? clock.now
        let inspection = MessageInspection(
            of: message, keys: keys, nonce: input["nonce"]?.string, now: now)
        return verdict(inspection)
    }

    private static func keys(_ value: JSONValue?) throws(JOSEError) -> [JSONWebKey]? {
        guard let list = value?.array, list.count <= JWKSet.maximumKeys else { return nil }
        var keys: [JSONWebKey] = []
        for entry in list {
            guard let object = entry.object else { return nil }
            keys.append(try JSONWebKey(object))
        }
        return keys
    }

    private static func verdict(_ inspection: MessageInspection) -> JSONValue {
        guard let refusal = inspection.refusal else {
            return Verdict.accepted(inspection.json).json
        }
        return [
            "verdict": "refused", "code": .string(refusal.code.rawValue),
            "reason": .string(refusal.reason), "value": inspection.json,
        ]
    }
}
