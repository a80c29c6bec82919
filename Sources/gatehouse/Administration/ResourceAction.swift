// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

/// An action on a resource that takes no argument but the name, such as `disable` or `revoke`.
protocol ResourceAction: SendableMetatype {
    associatedtype Thing: ProjectResource
    static var verb: String { get }
    static var abstract: String { get }
    /// Text of the help after the abstract; empty for none.
    static var more: String { get }
    static var method: String { get }
    /// Path segments after those of the resource.
    static var segments: [String] { get }
    static var body: JSONValue? { get }
    /// Whether the call would create a missing resource. Then the command first checks that it
    /// exists.
    static var makes: Bool { get }
}

extension ResourceAction {
    static var more: String { "" }
    static var segments: [String] { [] }
    static var body: JSONValue? { nil }
    static var makes: Bool { false }
}

/// `… VERB NAME`
struct PerformResourceAction<Act: ResourceAction>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Act.verb, abstract: Act.abstract,
            discussion: (Act.more.isEmpty ? "" : Act.more + "\n\n") + Act.Thing.usage(Act.verb))
    }
    @Argument(help: ArgumentHelp(Act.Thing.nameHelp))
    var name: String
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        let path = place.path([Act.Thing.segment, name] + Act.segments)
        if Act.makes { _ = try await place.server.administer { try await $0.call("GET", path) } }
        try await place.change(Act.method, path, body: Act.body)
    }
}
