// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// What the server sends back, as members of a JSON object; an endpoint puts them among its own
/// (tokens beside `accepted`, those of RFC 9457 beside the others).
package enum PINResponse: Sendable, Equatable {
    case accepted
    /// A compact JWS of ``PINStatementSigner/delivery(of:to:answering:)``.
    case delivery([UInt8])
    /// A compact JWS of ``PINStatementSigner/version(_:to:answering:)``.
    case version([UInt8])
    case wrongPIN(PINAttempts)
    /// A compact JWS of ``PINStatementSigner/ending(_:of:now:)``.
    case ended([UInt8])
    /// Everything else, without a word about why.
    case refused

    /// Stable: people script against it.
    package var code: String {
        switch self {
        case .accepted: "accepted"
        case .delivery: "delivery"
        case .version: "version"
        case .wrongPIN: "wrong_pin"
        case .ended: "ended"
        case .refused: "refused"
        }
    }

    package var members: [JSONObject.Member] {
        let code = JSONObject.Member(name: "code", value: .string(code))
        switch self {
        case .accepted, .refused: return [code]
        case .delivery(let jws), .version(let jws), .ended(let jws):
            let text = String(decoding: jws, as: UTF8.self)
            return [code, .init(name: "statement", value: .string(text))]
        case .wrongPIN(let budget):
            let attempts: JSONValue = [
                "limit": .integer(Int64(budget.limit)), "used": .integer(Int64(budget.used)),
                "remaining": .integer(Int64(budget.remaining)),
            ]
            return [code, .init(name: "attempts", value: attempts)]
        }
    }

    /// Reads an answer; members of the endpoint's own are passed over. `nil` when it is none:
    /// the device then knows nothing, and changes nothing.
    package init?(json bytes: [UInt8]) {
        guard
            let object = try? JSONParser.parseObject(bytes, maximumBytes: 65_536, maximumDepth: 8),
            let code = object["code"]?.string,
            let answer = Self.read(code, object)
        else { return nil }
        self = answer
    }

    private static func read(_ code: String, _ object: JSONObject) -> PINResponse? {
        let statement = object["statement"]?.string.map { Array($0.utf8) }
        return switch code {
        case "accepted": .accepted
        case "delivery": statement.map { .delivery($0) }
        case "version": statement.map { .version($0) }
        case "wrong_pin": budget(object["attempts"]).map { .wrongPIN($0) }
        case "ended": statement.map { .ended($0) }
        case "refused": .refused
        default: nil
        }
    }

    private static func budget(_ value: JSONValue?) -> PINAttempts? {
        guard let limit = value?["limit"]?.integer, let used = value?["used"]?.integer,
            let remaining = value?["remaining"]?.integer,
            let budget = PINAttempts(limit: limit, used: used), budget.remaining == remaining
        else { return nil }
        return budget
    }
}
