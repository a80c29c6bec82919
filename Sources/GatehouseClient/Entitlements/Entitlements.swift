// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The person's rights, and limits that do not change with use. For amounts that are consumed see
/// ``CurrentEntitlements/expendable``.
public struct Entitlements: Sendable, Hashable {
    /// The value of an entitlement.
    public enum Value: Sendable, Hashable {
        /// Allowed or not.
        case flag(Bool)
        /// Zero or more.
        case amount(Int64)
    }

    /// The values by name.
    public let values: [String: Value]

    /// Whether that flag is set, or that amount is more than zero.
    public func allows(_ name: String) -> Bool {
        switch values[name] {
        case .flag(let flag): flag
        case .amount(let amount): amount > 0
        case nil: false
        }
    }

    /// Returns the amount; `nil` for a flag, and for a missing entitlement.
    public func amount(_ name: String) -> Int64? {
        guard case .amount(let amount) = values[name] else { return nil }
        return amount
    }

    /// Reads `{"NAME": true | false | NUMBER}`; a kind that is not known yet is passed over.
    init(_ object: JSONObject) {
        var values: [String: Value] = [:]
        for member in object.members {
            switch member.value {
            case .bool(let flag): values[member.name] = .flag(flag)
            case .integer(let amount): values[member.name] = .amount(amount)
            default: continue
            }
        }
        self.values = values
    }

    /// The claim `entitlements` of an access token; `nil` for tokens without that scope.
    init?(in tokens: StoredTokens) {
        guard let jws = try? UnverifiedJWS(compact: tokens.accessToken.revealText()),
            let claims = try? JSONParser.parseObject(
                jws.payload, maximumBytes: 65_536, maximumDepth: 8),
            let object = claims[CurrentEntitlements.scope]?.object
        else { return nil }
        self.init(object)
    }
}
