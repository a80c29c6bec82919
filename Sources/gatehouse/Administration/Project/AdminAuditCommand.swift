// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives
import ProviderAdministration

struct AdminAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List audit events, newest first.",
        discussion: """
            Examples:

              gatehouse admin audit --limit 20
              gatehouse admin audit --action sign-in. --outcome refused --since 24h --json
              gatehouse admin audit --request 3f0c51d2a89b4e67
            """)

    @Option(help: "Only of this project.")
    var project: String?
    @Option(help: "This action. With a dot at its end, all actions that start with it.")
    var action: String?
    @Option(help: "Only of this person (sub).")
    var person: String?
    @Option(help: "Only of this client_id.")
    var client: String?
    @Option(help: "Only events of the device with this id.")
    var device: String?
    @Option(help: "Only this request id, as an error page or a log line shows it.")
    var request: String?
    @Option(help: "accepted or refused.")
    var outcome: String?
    @Option(help: "Earliest time: 2026-01-31T12:00:00Z, or a duration before now (15m, 2h, 7d).")
    var since: String?
    @Option(help: "Maximum number of events.")
    var limit = 100
    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let query = try query()
        let events = try await server.administer { connection in
            var events: [JSONValue] = []
            var cursor: String?
            repeat {
                let size = [("limit", String(min(200, max(1, limit - events.count))))]
                let page = try await connection.call(
                    .listAuditEvents,
                    query: query + size + (cursor.map { [("cursor", $0)] } ?? []))
                events += page["items"]?.array ?? []
                cursor = page["next"]?.string
            } while cursor != nil && events.count < limit
            return events
        }
        print(output.json ? JSONValue.array(events).text : table(events))
    }

    private func query() throws -> [(String, String)] {
        let given: [(String, String?)] = [
            ("project", project), ("action", action), ("person", person), ("client", client),
            ("device", device), ("request", request), ("outcome", outcome),
            ("since", try since.map { try Self.moment($0) }),
        ]
        return given.compactMap { name, value in value.map { (name, $0) } }
    }

    /// RFC 3339, also for a length of time before now.
    static func moment(
        _ text: String, now: Timestamp = SystemWallClock().now
    ) throws -> String {
        if Timestamp(rfc3339: text) != nil { return text }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = text.last, let unit = units[last], let count = Int64(text.dropLast()),
            (0...100_000).contains(count)
        else {
            throw CommandError(
                "--since must be a moment such as 2026-01-31T12:00:00Z or a length of time such as "
                    + "15m, 2h or 7d", code: .badInput)
        }
        return (now - .seconds(count * unit)).rfc3339
    }

    private func table(_ events: [JSONValue]) -> String {
        ProjectOptions.table(
            events,
            columns: [
                "time", "project", "action", "outcome", "code", "client_id", "person", "address",
            ])
    }
}
