// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// An action on a resource that takes no argument but the name, such as `disable` or `revoke`.
protocol ResourceAction: SendableMetatype {
    associatedtype Resource: ProjectResource
    static var verb: String { get }
    static var abstract: String { get }
    /// Text of the help after the abstract; empty for none.
    static var more: String { get }
    static var operation: AdministrativeOperation { get }
    static var body: JSONValue? { get }
    /// Reads the resource, if the action would create a missing one. Then the command first checks
    /// that it exists.
    static var check: AdministrativeOperation? { get }
}

extension ResourceAction {
    static var more: String { "" }
    static var body: JSONValue? { nil }
    static var check: AdministrativeOperation? { nil }
}

/// `… VERB NAME`
struct PerformResourceAction<Act: ResourceAction>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Act.verb, abstract: Act.abstract,
            discussion: (Act.more.isEmpty ? "" : Act.more + "\n\n") + Act.Resource.usage(Act.verb))
    }
    @Argument(help: ArgumentHelp(Act.Resource.nameHelp))
    var name: String
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        let names = [Act.Resource.parameter: name]
        if let check = Act.check { _ = try await place.call(check, names) }
        try await place.change(Act.operation, names, body: Act.body)
    }
}
