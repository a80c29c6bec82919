// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

struct AdminClientsCommand: AsyncParsableCommand, ProjectThing {
    static let command = "clients"
    static let columns = ["client_id", "client_name", "token_endpoint_auth_method", "grant_types"]
    static let listAbstract = "All clients of a project."
    static let showAbstract = "One client, without its secret."
    static let removeAbstract = "Remove a client; its tokens end."
    static let nameHelp = "Its client_id."
    static let example = "shop"

    static let configuration = CommandConfiguration(
        commandName: command,
        abstract: "OAuth clients: relying parties and services.",
        discussion: """
            Examples:

              gatehouse admin clients create shop --name Shop --redirect-uri https://shop.example.com/cb
              gatehouse admin clients create batch --grant-type client_credentials --scope api
            """,
        subcommands: [
            ListThings<Self>.self, ShowThing<Self>.self, Create.self, RemoveThing<Self>.self,
        ])
}
