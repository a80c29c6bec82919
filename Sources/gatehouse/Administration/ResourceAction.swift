// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

/// Something that is done to one thing, and that cannot be said in more than its name: `disable`,
/// `revoke`.
protocol ResourceAction: SendableMetatype {
    associatedtype Thing: ProjectResource
    static var verb: String { get }
    static var abstract: String { get }
    /// More than the abstract says; none when empty.
    static var more: String { get }
    static var method: String { get }
    /// Below the thing's own.
    static var segments: [String] { get }
    static var body: JSONValue? { get }
    /// Whether the call would make what is not there, so that it is looked for first.
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
