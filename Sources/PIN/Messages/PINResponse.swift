// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The server's response, as members of a JSON object. An endpoint adds its own: tokens to
/// `accepted`, the members of RFC 9457 to the others.
package enum PINResponse: Sendable, Equatable {
    case accepted
    /// A compact JWS of ``PINStatementSigner/delivery(of:to:answering:)``.
    case delivery([UInt8])
    /// A compact JWS of ``PINStatementSigner/version(_:to:answering:in:)``.
    case version([UInt8])
    case wrongPIN(PINAttempts)
    /// A compact JWS of ``PINStatementSigner/ending(_:of:now:in:)``.
    case ended([UInt8])
    /// Any other refusal, without a reason.
    case refused

    /// The stable code for scripts.
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

    /// Parses a response and ignores unknown members. `nil` if the bytes are not a response: the
    /// device then changes nothing.
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
