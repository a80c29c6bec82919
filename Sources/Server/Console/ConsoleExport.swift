// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE

/// The audit trail as a file: the events of a filter, newest first, at most ``most``.
struct ConsoleExport: Sendable {
    enum Format: String, Sendable {
        case csv, json

        var mediaType: String {
            switch self {
            case .csv: "text/csv; charset=utf-8; header=present"
            case .json: "application/json"
            }
        }
    }

    /// A file holds no more; an earlier `since` or a narrower filter finds the others.
    static let most = 10_000
    /// The most that the Admin API gives at once.
    private static let page = 200

    private static let columns = [
        "time", "project", "action", "outcome", "code", "person", "client_id", "address",
        "request_id", "count", "details",
    ]

    private let format: Format

    init(_ format: Format) { self.format = format }

    func file(
        _ console: ConsoleVisit, _ query: [String: String]
    ) async throws -> Result<[UInt8], ConsoleRefusal> {
        var events: [JSONValue] = []
        var cursor: String?
        repeat {
            var asked = query
            asked["limit"] = String(Self.page)
            asked["cursor"] = cursor
            let answer = try await console.ask("listAuditEvents", query: asked)
            guard let page = answer.json else { return .failure(ConsoleRefusal(answer: answer)) }
            events += page["items"]?.array ?? []
            cursor = page["next"]?.string
        } while cursor != nil && events.count < Self.most
        return .success(bytes(events))
    }

    func bytes(_ events: [JSONValue]) -> [UInt8] {
        switch format {
        case .json: (["events": .array(events)] as JSONValue).bytes
        case .csv:
            Array(
                ([Self.columns.joined(separator: ",")] + events.map(line))
                    .joined(separator: "\r\n").utf8) + Array("\r\n".utf8)
        }
    }

    /// RFC 4180 section 2.
    private func line(_ event: JSONValue) -> String {
        Self.columns.map { Self.field(event[$0]) }.joined(separator: ",")
    }

    /// Quoted when it must be. What a spreadsheet would take for a formula gets an apostrophe
    /// before it: user names and client ids are other people's text.
    private static func field(_ value: JSONValue?) -> String {
        guard let value, value != .null else { return "" }
        var text = value.string ?? value.text
        if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) {
            text = "'" + text
        }
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
            return text
        }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

extension ServerResponse {
    /// To be kept as a file, and in no cache.
    ///
    /// - Parameter name: of ASCII, without quotation marks.
    static func file(_ bytes: [UInt8], name: String, mediaType: String) -> ServerResponse {
        ServerResponse(
            status: .ok,
            headers: [
                .contentType: mediaType, .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ], body: bytes)
    }
}
