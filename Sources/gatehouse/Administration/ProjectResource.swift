// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

/// A kind of resource of a project with the commands `list`, `show` and `remove`.
protocol ProjectResource: SendableMetatype {
    /// The subcommand of `gatehouse admin`.
    static var command: String { get }
    /// The segment of the Admin API's path.
    static var segment: String { get }
    /// The members that a list displays as columns.
    static var columns: [String] { get }
    static var listAbstract: String { get }
    static var showAbstract: String { get }
    static var removeAbstract: String { get }
    /// The help of the argument that names a resource, and an example of its value.
    static var nameHelp: String { get }
    static var example: String { get }
    /// The name of the command that removes one.
    static var removal: String { get }
}

extension ProjectResource {
    static var segment: String { command }
    static var showAbstract: String { "One of them." }
    /// For resources without such a command.
    static var removeAbstract: String { "" }
    static var removal: String { "remove" }

    static func usage(_ verb: String, named: Bool = true) -> String {
        "Example: gatehouse admin \(command) \(verb)" + (named ? " \(example)" : "")
    }
}

/// `… list`
struct ListResources<Thing: ProjectResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: Thing.listAbstract,
            discussion: Thing.usage("list", named: false))
    }
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        try await place.list(place.path(Thing.segment), columns: Thing.columns)
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
struct SearchResources<Thing: SearchableResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: Thing.listAbstract,
            discussion: Thing.usage("list --search \(Thing.beginning)", named: false))
    }
    @Option(help: ArgumentHelp("Only those whose \(Thing.searched) begins so."))
    var search: String?
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        try await place.list(
            place.path(Thing.segment), columns: Thing.columns, search: search)
    }
}

/// `… show NAME`
struct ShowResource<Thing: ProjectResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show", abstract: Thing.showAbstract, discussion: Thing.usage("show"))
    }
    @Argument(help: ArgumentHelp(Thing.nameHelp))
    var name: String
    @OptionGroup var place: ProjectOptions

    func run() async throws { try await place.show(place.path(Thing.segment, name)) }
}

/// `… remove NAME`
struct RemoveResource<Thing: ProjectResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Thing.removal, abstract: Thing.removeAbstract,
            discussion: Thing.usage(Thing.removal))
    }
    @Argument(help: ArgumentHelp(Thing.nameHelp))
    var name: String
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        try await place.change("DELETE", place.path(Thing.segment, name))
    }
}

/// The options of a `put` command.
protocol ResourceSettings: ParsableArguments {
    associatedtype Thing: ProjectResource
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
            discussion: Settings.Thing.usage("put") + " " + Settings.example)
    }
    @Argument(help: ArgumentHelp(Settings.Thing.nameHelp))
    var name: String
    @OptionGroup var settings: Settings
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        let path = place.path(Settings.Thing.segment, name)
        try await place.change("PUT", path, body: .object(settings.body()))
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
