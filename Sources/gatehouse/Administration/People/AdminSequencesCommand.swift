// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

struct AdminSequencesCommand: AsyncParsableCommand, ShownResource, RemovableResource {
    static let command = "entitlements sequences"
    static let list = AdministrativeOperation.listEntitlementSequences
    static let show = AdministrativeOperation.showEntitlementSequence
    static let remove = AdministrativeOperation.removeEntitlementSequence
    static let parameter = AdministrativeOperation.Parameter.sequence
    static let columns = ["name", "steps"]
    static let listAbstract = "List the sequences of a project."
    static let showAbstract = "Show a sequence and its steps."
    static let removeAbstract = "Remove a sequence that is not assigned to a person."
    static let nameHelp = "Name of the sequence."
    static let example = "trial"

    static let configuration = CommandConfiguration(
        commandName: "sequences",
        abstract: "Manage sequences: entitlement sets that follow one another.",
        discussion: """
            Example:

              gatehouse admin entitlements sequences put trial gold=30d basic
            """,
        subcommands: [
            ListResources<Self>.self, ShowResource<Self>.self, Put.self, RemoveResource<Self>.self,
        ])

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "put", abstract: "Create a sequence, or replace its steps.",
            discussion: "Example: gatehouse admin entitlements sequences put trial gold=30d basic")
        @Argument(help: "Name of the sequence.")
        var name: String
        @Argument(
            help: "SET=TIME (30d, 12h, 90m, 45s); the last one is SET alone, without an end.")
        var steps: [SequenceStepText]
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            let body: JSONValue = ["steps": .array(steps.map(\.value))]
            try await place.show(.putEntitlementSequence, [.sequence: name], body: body)
        }
    }
}

/// One step of a sequence as it is typed.
struct SequenceStepText: ExpressibleByArgument {
    let value: JSONValue

    init?(argument: String) {
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard let set = parts.first, !set.isEmpty, parts.count <= 2 else { return nil }
        var object = JSONObject()
        object["set"] = .string(String(set))
        if parts.count == 2 {
            guard let seconds = Self.seconds(parts[1]) else { return nil }
            object["duration"] = .integer(seconds)
        }
        value = .object(object)
    }

    private static func seconds(_ text: Substring) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            count > 0
        else { return nil }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? nil : seconds
    }
}
