// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

/// `… change NAME KEY=VALUE`: changes the named members and no others.
struct UpdateResource<Resource: UpdatableResource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "change", abstract: Resource.changeAbstract,
            discussion: Resource.usage("change") + " " + Resource.changeExample)
    }
    @Argument(help: ArgumentHelp(Resource.nameHelp))
    var name: String
    @OptionGroup var settings: SettingsGroup
    @OptionGroup var place: ProjectOptions

    /// Reads the resource first, so that a misspelt name does not create one.
    func run() async throws {
        let names = place.names([Resource.parameter: name])
        let changes = try settings.object()
        let answer = try await place.server.administer { connection in
            let known = try await connection.call(Resource.show, names).object ?? JSONObject()
            return try await connection.call(
                Resource.put, names, body: .object(Resource.body(changes, of: known)))
        }
        place.report(answer)
    }
}

/// A kind of resource with members that can be changed individually.
protocol UpdatableResource: ShownResource {
    static var put: AdministrativeOperation { get }
    static var changeAbstract: String { get }
    /// The arguments after the name, for the example.
    static var changeExample: String { get }
    /// Returns the body of a PUT that applies `changes` and no others.
    static func body(_ changes: JSONObject, of known: JSONObject) -> JSONObject
}

extension UpdatableResource {
    /// For resources whose PUT leaves absent members unchanged.
    static func body(_ changes: JSONObject, of known: JSONObject) -> JSONObject { changes }
}
