// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderCore
import Storage
import WebPages

/// An audit event as a row for people.
struct ConsoleAuditRow {
    private let console: ConsoleContext
    private let event: AuditEvent
    private let details: JSONObject

    init(_ console: ConsoleContext, _ event: AuditEvent) {
        self.console = console
        self.event = event
        let details = try? JSONParser.parseObject(
            Array(event.details.utf8), maximumBytes: 65_536)
        self.details = details ?? JSONObject()
    }

    /// Members of the details that another cell displays. The exported file contains the ids too.
    private static let named = ["by", "api_token", "api_token_id"]
    /// Characters of the details; all of them are in the export.
    private static let maximumLength = 480

    static let columnsWithoutPerson = ["auditWhen", "auditAction", "auditOutcome", "auditAddress"]
    static let columns = [
        "auditWhen", "auditAction", "auditOutcome", "auditWho", "auditClient", "auditAddress",
    ]

    /// Returns the cells of a person's own events. The author is displayed below the action.
    ///
    /// - Parameter names: of people, by `sub`.
    func withoutPerson(_ names: [String: String]) -> [ConsoleCell] {
        [when, action([by(names), what]), outcome, address]
    }

    /// - Parameter names: of people, by `sub`.
    func cells(_ names: [String: String]) -> [ConsoleCell] {
        let sub = event.person?.description
        return [
            when, action([what]), outcome,
            ConsoleCell(
                sub.map { names[$0] ?? $0 } ?? "", hint: by(names),
                href: sub.flatMap { names[$0] != nil ? console.path("people", $0) : nil }),
            ConsoleCell(event.clientID ?? ""), address,
        ]
    }

    /// Returns the author of the event, or an empty string if the person acted for themselves.
    private func by(_ names: [String: String]) -> String {
        let token = details["api_token"]?.string
        let by = details["by"]?.string.map { names[$0] ?? $0 } ?? token.map { _ in "–" }
        return by.map { author($0, token) } ?? ""
    }

    private func author(_ name: String, _ token: String?) -> String {
        guard let token else { return console.text("consoleBy", ["name": name]) }
        return console.text("consoleByToken", ["name": name, "token": token])
    }

    /// Of the people that the rows name, by `sub`.
    static func names(
        in rows: [ConsoleAuditRow], _ console: ConsoleContext
    ) async throws -> [String: String] {
        let ids = Set(rows.flatMap(\.people).compactMap { Identifier<Person>($0) })
        let names = try await AuditLogReader(console.visit.pages.provider).usernames(of: ids)
        return Dictionary(names.map { ($0.key.description, $0.value) }) { first, _ in first }
    }

    private var people: [String] {
        [event.person?.description, details["by"]?.string].compactMap { $0 }
    }

    private var when: ConsoleCell { ConsoleCell("\(CivilTime(event.at))") }

    private func action(_ hints: [String]) -> ConsoleCell {
        ConsoleCell(
            event.action + (event.count > 1 ? " × \(event.count)" : ""),
            hint: hints.filter { !$0.isEmpty }.joined(separator: " · "))
    }

    /// The details of the event, without the author.
    private var what: String {
        let words = details.members.compactMap { member -> String? in
            guard !Self.named.contains(member.name), member.value != .null else { return nil }
            let value =
                member.value.strings?.joined(separator: ", ") ?? member.value.string
                ?? member.value.text
            return value.isEmpty ? nil : "\(member.name) \(value)"
        }
        let text = words.joined(separator: " · ")
        return text.count > Self.maximumLength ? text.prefix(Self.maximumLength) + "…" : text
    }

    private var outcome: ConsoleCell {
        event.outcome == .accepted
            ? ConsoleCell(console.text("accepted"), tone: .good)
            : ConsoleCell(event.code ?? console.text("refused"), tone: .bad)
    }

    private var address: ConsoleCell {
        ConsoleCell(event.address, hint: event.requestID)
    }
}
