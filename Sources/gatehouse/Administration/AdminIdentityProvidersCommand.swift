// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

struct AdminIdentityProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity-providers",
        abstract: "Whose people may sign in here with the account that they have there.",
        discussion: """
            Examples:

              gatehouse admin identity-providers put acme --kind oidc \\
                --issuer https://login.acme.example --client-id gatehouse \\
                --client-secret-file secret --button-text Acme --create-people
              gatehouse admin identity-providers disable acme
            """,
        subcommands: [
            List.self, Show.self, Put.self, Enable.self, Disable.self, Remove.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "All providers of a project.",
            discussion: "Example: gatehouse admin identity-providers list")
        @OptionGroup var place: ProjectPlace

        func run() async throws {
            try await place.list(
                place.path("identity-providers"),
                columns: ["identifier", "kind", "enabled", "issuer", "client_id"])
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "One provider, with the redirect URI to register there.",
            discussion: "Example: gatehouse admin identity-providers show acme")
        @Argument(help: "Its identifier.")
        var identifier: String
        @OptionGroup var place: ProjectPlace

        func run() async throws {
            try await place.show(place.path("identity-providers", identifier))
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let its people in again.",
            discussion: "Example: gatehouse admin identity-providers enable acme")
        @Argument(help: "Its identifier.")
        var identifier: String
        @OptionGroup var place: ProjectPlace

        func run() async throws { try await place.switchProvider(identifier, enabled: true) }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let nobody in on its word, and end what rests on it.",
            discussion: "Example: gatehouse admin identity-providers disable acme")
        @Argument(help: "Its identifier.")
        var identifier: String
        @OptionGroup var place: ProjectPlace

        func run() async throws { try await place.switchProvider(identifier, enabled: false) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a provider, with everybody's link to it. People stay.",
            discussion: "Example: gatehouse admin identity-providers remove acme")
        @Argument(help: "Its identifier.")
        var identifier: String
        @OptionGroup var place: ProjectPlace

        func run() async throws {
            try await place.change("DELETE", place.path("identity-providers", identifier))
        }
    }
}

extension ProjectPlace {
    /// Everything else stays as it is.
    fileprivate func switchProvider(_ identifier: String, enabled: Bool) async throws {
        let path = path("identity-providers", identifier)
        let answer = try await server.administer { connection in
            var body = try await connection.call("GET", path).object ?? JSONObject()
            body = JSONObject(body.members.filter { $0.name != "redirect_uri" })
            body["enabled"] = .bool(enabled)
            return try await connection.call("PUT", path, body: .object(body))
        }
        print(output.json ? answer.text : ChangeReport(answer, verb: "changed").text)
    }
}
