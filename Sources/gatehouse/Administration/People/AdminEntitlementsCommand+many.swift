// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Documents
import JOSE
import ProviderAdministration

extension AdminEntitlementsCommand {
    /// `give-many` and `take-many`.
    struct Many<Way: EntitlementSetWay>: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: Way.verb + "-many", abstract: Way.abstract,
                discussion: """
                    In batches, each in one transaction. Personal entitlements are kept. A second
                    run changes nothing.

                    Examples:

                      gatehouse admin entitlements \(Way.verb)-many gold --people-file names --dry-run
                      gatehouse admin entitlements \(Way.verb)-many gold --search test-
                    """)
        }

        @Argument(help: "Name of the set.")
        var set: String
        @Option(help: "File with usernames or subs, one per line; - is standard input.")
        var peopleFile: String?
        @Option(help: "Instead of a file: start of the username; empty for all people.")
        var search: String?
        @Option(help: "Only people who have this set; empty for people without a set.")
        var having: String?
        @Flag(help: "Print the changes without applying them.")
        var dryRun = false
        @OptionGroup var place: ProjectOptions

        func validate() throws {
            guard peopleFile == nil || (search == nil && having == nil) else {
                throw ValidationError("use --people-file, or --search and --having, not both")
            }
            guard peopleFile != nil || search != nil || having != nil else {
                throw ValidationError("use --people-file, --search or --having to choose people")
            }
        }

        func run() async throws {
            let batches = try peopleFile.map { try Self.batches($0) }
            var items: [JSONValue] = []
            try await place.server.administer { connection in
                for names in batches ?? [] {
                    items += try await call(
                        connection, JSONObject([.init(name: "people", value: .array(names))])
                    ).items
                }
                guard batches == nil else { return }
                var cursor: String?
                repeat {
                    var body: JSONObject = filter
                    body["cursor"] = cursor.map(JSONValue.string)
                    let answer = try await call(connection, body)
                    items += answer.items
                    cursor = answer.next
                } while cursor != nil
            }
            show(items)
        }

        private func call(
            _ connection: AdminConnection, _ body: JSONObject
        ) async throws -> (items: [JSONValue], next: String?) {
            var body = body
            body["dry_run"] = .bool(dryRun)
            let answer = try await connection.call(
                Way.operation, place.names([.set: set]), body: .object(body))
            return (answer["items"]?.array ?? [], answer["next"]?.string)
        }

        private var filter: JSONObject {
            var filter = JSONObject()
            filter.set("search", search)
            filter.set("set", having)
            var body = JSONObject()
            body["filter"] = .object(filter)
            return body
        }

        private static func batches(_ file: String) throws -> [[JSONValue]] {
            let text = String(decoding: try DocumentFile.bytes(file), as: UTF8.self)
            let names = text.split(whereSeparator: \.isNewline)
                .map { $0.trimmingPrefix(while: \.isWhitespace) }.filter { !$0.isEmpty }
                .map { JSONValue.string(String($0)) }
            guard Swift.Set(names.map(\.text)).count == names.count else {
                throw CommandError("\(file) names a person twice", code: .badInput)
            }
            return stride(from: 0, to: names.count, by: 200).map {
                Array(names[$0..<min($0 + 200, names.count)])
            }
        }

        /// Numbered over all batches.
        private func show(_ items: [JSONValue]) {
            let numbered = items.enumerated().map { index, item -> JSONValue in
                var object = item.object ?? JSONObject()
                object["number"] = .integer(Int64(index + 1))
                return .object(object)
            }
            if place.output.json { return print(JSONValue.array(numbered).text) }
            let columns = ["number", "name", "outcome", "set_before", "sequence_before"]
            print(ProjectOptions.table(numbered, columns: columns))
            let changed = items.count { $0["outcome"] == "changed" }
            StandardError.print("\(changed) \(dryRun ? "would change" : "changed")")
        }
    }

    enum Giving: EntitlementSetWay {
        static let verb = "give"
        static let operation = AdministrativeOperation.giveEntitlementSet
        static let abstract = "Assign a set to many people. It replaces their set or sequence."
    }

    enum Taking: EntitlementSetWay {
        static let verb = "take"
        static let operation = AdministrativeOperation.takeEntitlementSet
        static let abstract = "Remove a set from many people who have it."
    }
}

/// Whether a set is given or taken.
protocol EntitlementSetWay: SendableMetatype {
    static var verb: String { get }
    static var operation: AdministrativeOperation { get }
    static var abstract: String { get }
}
