import ArgumentParser
// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import JOSE

/// `… change NAME KEY=VALUE`: what is named changes, everything else stays.
struct UpdateResource<Thing: UpdatableResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "change", abstract: Thing.changeAbstract,
            discussion: Thing.usage("change") + " " + Thing.changeExample)
    }
    @Argument(help: ArgumentHelp(Thing.nameHelp))
    var name: String
    @OptionGroup var settings: SettingsGroup
    @OptionGroup var place: ProjectOptions

    /// Looked for first: a slip of the finger makes nothing.
    func run() async throws {
        let path = place.path(Thing.segment, name)
        let changes = try settings.object()
        let answer = try await place.server.administer { connection in
            let known = try await connection.call("GET", path).object ?? JSONObject()
            return try await connection.call(
                "PUT", path, body: .object(Thing.body(changes, of: known)))
        }
        print(place.output.json ? answer.text : ChangeReport(answer, verb: "changed").text)
    }
}

/// A kind of things that are changed member by member.
protocol UpdatableResource: ProjectResource {
    static var changeAbstract: String { get }
    /// What is typed behind the name, for the example.
    static var changeExample: String { get }
    /// What is put, so that `changes` come true and nothing else.
    static func body(_ changes: JSONObject, of known: JSONObject) -> JSONObject
}

extension UpdatableResource {
    /// Of what stays as it is when it is not named.
    static func body(_ changes: JSONObject, of known: JSONObject) -> JSONObject { changes }
}
