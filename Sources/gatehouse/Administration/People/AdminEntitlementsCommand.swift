// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import Primitives
import ProviderAdministration

struct AdminEntitlementsCommand: AsyncParsableCommand, RemovableResource {
    static let command = "entitlements"
    static let list = AdministrativeOperation.listEntitlementSets
    static let remove = AdministrativeOperation.removeEntitlementSet
    static let parameter = AdministrativeOperation.Parameter.set
    static let columns = ["name", "entitlements"]
    static let listAbstract = "List the entitlement sets of a project."
    static let removeAbstract = "Remove a set that is not assigned to a person."
    static let nameHelp = "Name of the set."
    static let example = "gold"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "Manage entitlements.",
        discussion: """
            Examples:

              gatehouse admin entitlements put gold vaults=10 export=true
              gatehouse admin entitlements give anna --set gold vaults=25
              gatehouse admin entitlements refill anna sms=100
            """,
        subcommands: [
            ListResources<Self>.self, Put.self, RemoveResource<Self>.self, Show.self, Give.self,
            Refill.self, Many<Giving>.self, Many<Taking>.self,
            AdminSequencesCommand.self,
        ])

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "put", abstract: "Create or replace an entitlement set.",
            discussion: "Example: gatehouse admin entitlements put gold vaults=10 export=true")
        @Argument(help: "Name of the set.")
        var name: String
        @Argument(help: "NAME=true, NAME=false or NAME=NUMBER.")
        var entitlements: [EntitlementText] = []
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            let body: JSONValue = ["entitlements": EntitlementText.object(entitlements)]
            try await place.show(.putEntitlementSet, [.set: name], body: body)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the entitlements of a person.",
            discussion: "Example: gatehouse admin entitlements show anna")
        @Argument(help: "Username or sub.")
        var person: String
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            try await place.show(.showEntitlements, [.person: person])
        }
    }

    struct Give: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "give",
            abstract: "Assign a set or a sequence, or none, and individual entitlements.",
            discussion: "Example: gatehouse admin entitlements give anna --set gold vaults=25")
        @Argument(help: "Username or sub.")
        var person: String
        @Argument(help: "Individual entitlements: NAME=true, NAME=false or NAME=NUMBER.")
        var entitlements: [EntitlementText] = []
        @Option(help: "Name of the set; none when absent.")
        var set: String?
        @Option(help: "Name of a sequence, instead of a set.")
        var sequence: String?
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            var body = JSONObject()
            body["set"] = set.map(JSONValue.string)
            body["sequence"] = sequence.map(JSONValue.string)
            body["explicit"] = EntitlementText.object(entitlements)
            try await place.show(
                .setEntitlements, [.person: person], body: .object(body))
        }
    }
}

extension AdminEntitlementsCommand {
    struct Refill: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refill",
            abstract:
                "Add expendable entitlements to a person, or deduct them with --take.",
            discussion: "Example: gatehouse admin entitlements refill anna sms=100")
        @Argument(help: "Username or sub.")
        var person: String
        @Argument(help: "NAME=NUMBER.")
        var amounts: [EntitlementText]
        @Flag(help: "Deduct them instead.")
        var take = false
        @Option(help: "A UUID for this change; the same again changes nothing. New when absent.")
        var requestID: String?
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            let changes = amounts.map { amount in
                let number = amount.value.integer.map { JSONValue.integer(take ? -$0 : $0) }
                return JSONObject.Member(name: amount.name, value: number ?? amount.value)
            }
            let fresh = Identifier<Self>(
                now: SystemWallClock().now, random: SystemRandomSource())
            let body: JSONValue = [
                "request_id": .string(requestID ?? fresh.description),
                "amounts": .object(JSONObject(changes)),
            ]
            try await place.show(.changeExpendables, [.person: person], body: body)
        }
    }
}

/// One entitlement as it is typed.
struct EntitlementText: ExpressibleByArgument {
    let name: String
    let value: JSONValue

    init?(argument: String) {
        let parts = argument.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        name = String(parts[0])
        switch parts[1] {
        case "true": value = true
        case "false": value = false
        default:
            guard let amount = Int64(parts[1]), amount >= 0 else { return nil }
            value = .integer(amount)
        }
    }

    static func object(_ texts: [EntitlementText]) -> JSONValue {
        .object(JSONObject(texts.map { .init(name: $0.name, value: $0.value) }))
    }
}
