// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import JOSE
import Synchronization

/// Carries the SDK's requests, and shows them. Long values are cut: what was signed or drawn at
/// random says nothing to a reader, and belongs in no log.
final class TourTransport: HTTPTransport {
    /// What the SDK sees of a network that has lost an answer.
    struct Lost: Error {}

    private let network: NetworkTransport
    private let issuer: String
    private let screen: TourScreen
    private let losing = Mutex<String?>(nil)

    init(issuer: String, screen: TourScreen) throws {
        network = try NetworkTransport()
        self.issuer = issuer
        self.screen = screen
    }

    /// The answer to the next request at that path gets lost.
    func loseAnswer(at path: String) { losing.withLock { $0 = path } }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        let path = String(request.url.dropFirst(issuer.count))
        // Discovery and keys, which every client reads first, are no part of the story.
        guard !path.hasPrefix("/.well-known/"), path != "/jwks" else {
            return try await network.response(to: request)
        }
        screen.sent("\(request.method) \(path)", Self.shown(request.body ?? []))
        let answer = try await network.response(to: request)
        let isLost = losing.withLock { losing in
            guard losing == path else { return false }
            losing = nil
            return true
        }
        if isLost {
            screen.lost()
            throw Lost()
        }
        screen.received(answer.status, Self.shown(answer.body))
        return answer
    }

    /// JSON or a form, member by member.
    private static func shown(_ body: [UInt8]) -> String {
        if let object = try? JSONParser.parseObject(body, maximumBytes: 65_536, maximumDepth: 8) {
            return object.members.map { "\($0.name): \(shown($0.value))" }.joined(separator: ", ")
        }
        let fields = String(decoding: body, as: UTF8.self).split(separator: "&")
        return fields.map { field in
            let parts = field.split(separator: "=", maxSplits: 1)
            let value = parts.count == 2 ? String(parts[1]) : ""
            return "\(parts.first ?? ""): \(cut(value.removingPercentEncoding ?? value))"
        }.joined(separator: ", ")
    }

    private static func shown(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): cut(text)
        case .object(let object):
            "{"
                + object.members.map { "\($0.name): \(shown($0.value))" }.joined(separator: ", ")
                + "}"
        default: value.text
        }
    }

    private static func cut(_ text: String) -> String {
        let plain = text.withoutControls
        guard plain.utf8.count > 48 else { return plain }
        return "\(plain.prefix(12))… (\(plain.utf8.count) letters)"
    }
}
