// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import HTTPTypes
import JOSE
import ProviderAdministration
import ProviderCore

/// The audit trail as a file: all events of a filter, newest first, read page by page while the file
/// is sent.
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

    /// The most that the Admin API gives at once.
    private static let page = 200

    private static let columns = [
        "time", "project", "action", "outcome", "code", "person", "client_id", "address",
        "request_id", "count", "details",
    ]

    private let format: Format

    init(_ format: Format) { self.format = format }

    /// - Returns: The file, or why its first page is refused.
    func file(
        _ console: ConsoleContext, _ query: [String: String]
    ) async throws -> AdministrativeResult<StreamedBody> {
        try await page(console, query, after: nil).map { first in
            StreamedBody { write in
                var page = first
                var separator = ""
                try await write(Array(beginning.utf8))
                while true {
                    if !page.items.isEmpty {
                        let events = page.items.map(AuditEndpoints.json)
                        try await write(Array((separator + text(events)).utf8))
                        separator = between
                    }
                    guard let next = page.next else { break }
                    page = try await self.page(console, query, after: next).get()
                }
                try await write(Array(end.utf8))
            }
        }
    }

    private func page(
        _ console: ConsoleContext, _ query: [String: String], after cursor: String?
    ) async throws -> AdministrativeResult<AdministrativeList<AuditLogReader.Entry>.Page> {
        try await console.call(.listAuditEvents) {
            try await AuditAdministration($0.caller).page(query, limit: Self.page, from: cursor)
        }
    }

    private var beginning: String {
        switch format {
        case .json: "{\"events\":["
        case .csv: Self.columns.joined(separator: ",") + "\r\n"
        }
    }

    private var between: String { format == .json ? "," : "" }
    private var end: String { format == .json ? "]}" : "" }

    /// The events of one page.
    func text(_ events: [JSONValue]) -> String {
        switch format {
        case .json: events.map(\.text).joined(separator: between)
        case .csv: events.map { line($0) + "\r\n" }.joined()
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
    static func file(
        _ bytes: [UInt8] = [], stream: StreamedBody? = nil, name: String, mediaType: String
    ) -> ServerResponse {
        ServerResponse(
            status: .ok,
            headers: [
                .contentType: mediaType, .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ], body: bytes, stream: stream)
    }
}
