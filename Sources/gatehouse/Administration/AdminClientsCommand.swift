// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

struct AdminClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "OAuth clients: relying parties and services.",
        discussion: """
            Examples:

              gatehouse admin clients create shop --name Shop --redirect-uri https://shop.example.com/cb
              gatehouse admin clients create batch --grant-type client_credentials --scope api
            """,
        subcommands: [List.self, Show.self, Create.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "All clients of a project.",
            discussion: "Example: gatehouse admin clients list --json")
        @OptionGroup var place: ProjectPlace

        func run() async throws {
            try await place.list(
                place.path("clients"),
                columns: ["client_id", "client_name", "token_endpoint_auth_method", "grant_types"])
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "One client, without its secret.",
            discussion: "Example: gatehouse admin clients show shop")
        @Argument(help: "Its client_id.")
        var clientID: String
        @OptionGroup var place: ProjectPlace

        func run() async throws { try await place.show(place.path("clients", clientID)) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a client; its tokens end.",
            discussion: "Example: gatehouse admin clients remove shop")
        @Argument(help: "Its client_id.")
        var clientID: String
        @OptionGroup var place: ProjectPlace

        func run() async throws {
            try await place.change("DELETE", place.path("clients", clientID))
        }
    }
}
