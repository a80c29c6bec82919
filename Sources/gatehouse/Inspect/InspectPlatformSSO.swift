// SPDX-License-Identifier: Apache-2.0
package import JOSE
import PlatformSSO
package import Primitives

/// `gatehouse inspect platform-sso`: `{"message","keys":[JWK],"nonce"?,"now"?}`. What the message is,
/// what it says, and every check with its outcome, also when it is refused. `keys` may be a JWK set as
/// well. Without `now`, the machine's clock; `nonce` is needed only for answers whose header leaves
/// `apv` out.
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
        let (now, nonce) = (input["now"], input["nonce"])
        // What is there and not understood must not be taken for what is left out.
        guard let time = now.map(WireTime.read) ?? clock.now else {
            return Verdict.badInput("\"now\" must be a time in seconds").json
        }
        guard nonce == nil || nonce?.string != nil else {
            return Verdict.badInput("\"nonce\" must be a string").json
        }
        return verdict(
            MessageInspection(of: message, keys: keys, nonce: nonce?.string, now: time))
    }

    private static func keys(_ value: JSONValue?) throws(JOSEError) -> [JSONWebKey]? {
        guard let list = value?.array ?? value?["keys"]?.array, list.count <= JWKSet.maximumKeys
        else { return nil }
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
