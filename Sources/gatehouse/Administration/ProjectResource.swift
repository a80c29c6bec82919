// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// A kind of resource of a project with the command `list`.
protocol ProjectResource: SendableMetatype {
    /// The subcommand of `gatehouse admin`.
    static var command: String { get }
    static var list: AdministrativeOperation { get }
    /// The parameter of the Admin API's paths that names one.
    static var parameter: AdministrativeOperation.Parameter { get }
    /// The members that a list displays as columns.
    static var columns: [String] { get }
    /// Returns an item of the list as the columns display it.
    static func row(_ item: JSONValue) -> JSONValue
    static var listAbstract: String { get }
    /// The help of the argument that names a resource, and an example of its value.
    static var nameHelp: String { get }
    static var example: String { get }
}

extension ProjectResource {
    static func row(_ item: JSONValue) -> JSONValue { item }

    static func usage(_ verb: String, named: Bool = true) -> String {
        "Example: gatehouse admin \(command) \(verb)" + (named ? " \(example)" : "")
    }
}

/// `… list`
struct ListResources<Resource: ProjectResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: Resource.listAbstract,
            discussion: Resource.usage("list", named: false))
    }
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        try await place.list(Resource.list, columns: Resource.columns, row: Resource.row)
    }
}

/// A kind of resource whose list can be searched.
protocol SearchableResource: ProjectResource {
    /// The member that a search compares from its start.
    static var searched: String { get }
    /// The search text of the example.
    static var beginning: String { get }
}

extension SearchableResource {
    static var beginning: String { String(example.prefix(2)) }
}

/// `… list --search BEGINNING`
struct SearchResources<Resource: SearchableResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: Resource.listAbstract,
            discussion: Resource.usage("list --search \(Resource.beginning)", named: false))
    }
    @Option(help: ArgumentHelp("Only entries whose \(Resource.searched) starts with this text."))
    var search: String?
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        try await place.list(
            Resource.list, columns: Resource.columns, search: search, row: Resource.row)
    }
}

/// A kind of resource with the command `show`.
protocol ShownResource: ProjectResource {
    static var show: AdministrativeOperation { get }
    static var showAbstract: String { get }
}

/// `… show NAME`
struct ShowResource<Resource: ShownResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show", abstract: Resource.showAbstract, discussion: Resource.usage("show")
        )
    }
    @Argument(help: ArgumentHelp(Resource.nameHelp))
    var name: String
    @OptionGroup var place: ProjectOptions

    func run() async throws { try await place.show(Resource.show, [Resource.parameter: name]) }
}

/// A kind of resource with the command `remove`.
protocol RemovableResource: ProjectResource {
    static var remove: AdministrativeOperation { get }
    static var removeAbstract: String { get }
    /// The name of the command.
    static var removal: String { get }
}

extension RemovableResource {
    static var removal: String { "remove" }
}

/// `… remove NAME`
struct RemoveResource<Resource: RemovableResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Resource.removal, abstract: Resource.removeAbstract,
            discussion: Resource.usage(Resource.removal))
    }
    @Argument(help: ArgumentHelp(Resource.nameHelp))
    var name: String
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        try await place.change(Resource.remove, [Resource.parameter: name])
    }
}

/// An entry of a list in the settings of a project.
protocol EntryResource: ShownResource, RemovableResource {
    static var entries: ProjectList { get }
}

extension EntryResource {
    static var list: AdministrativeOperation { entries.operations.list }
    static var show: AdministrativeOperation { entries.operations.show }
    static var remove: AdministrativeOperation { entries.operations.remove }
    static var parameter: AdministrativeOperation.Parameter { .name }
}

/// The options of a `put` command.
protocol ResourceSettings: ParsableArguments {
    associatedtype Resource: EntryResource
    static var abstract: String { get }
    /// The arguments after the name, for the example.
    static var example: String { get }
    func body() throws -> JSONObject
}

/// `… put NAME …`
struct PutResource<Settings: ResourceSettings>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "put", abstract: Settings.abstract,
            discussion: Settings.Resource.usage("put") + " " + Settings.example)
    }
    @Argument(help: ArgumentHelp(Settings.Resource.nameHelp))
    var name: String
    @OptionGroup var settings: Settings
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        try await place.change(
            Settings.Resource.entries.operations.put, [Settings.Resource.parameter: name],
            body: .object(settings.body()))
    }
}

extension JSONObject {
    /// Sets the member when there is something to say.
    mutating func set(_ name: String, _ text: String?) {
        if let text { self[name] = .string(text) }
    }

    mutating func set(_ name: String, _ texts: [String]) {
        if !texts.isEmpty { self[name] = .array(texts.map(JSONValue.string)) }
    }

    mutating func set(_ name: String, _ number: Int64?) {
        if let number { self[name] = .integer(number) }
    }

    mutating func set(_ name: String, _ flag: Bool?) {
        if let flag { self[name] = .bool(flag) }
    }
}
