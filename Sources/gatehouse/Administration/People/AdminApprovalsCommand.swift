// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

/// What clients ask people to approve in an app.
struct AdminApprovalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approvals",
        abstract: "Manage approval requests.",
        discussion: """
            `policy set approvals` sets whether clients may send requests, and their lifetime.
            Expired and finished requests are in the audit log: `audit --action approval.`

            Examples:

              gatehouse admin approvals list anna
              gatehouse admin approvals ask anna --client bank
            """,
        subcommands: [List.self, RequestTest.self])

    private static let columns = [
        "id", "state", "client_id", "message", "created_at", "expires_at",
    ]

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the approval requests of a person, newest first.",
            discussion: "Example: gatehouse admin approvals list anna")
        @Argument(help: "Username or sub.")
        var person: String
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            let answer = try await place.call(.listApprovals, [.person: person])
            place.show(answer["items"]?.array ?? [], columns: AdminApprovalsCommand.columns)
        }
    }

    struct RequestTest: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ask", abstract: "Send a test approval request in the name of a client.",
            discussion: """
                The app displays that it is a test. The response gives no access. The request counts
                towards the client's limit of requests in ten minutes.

                Example: gatehouse admin approvals ask anna --client bank
                """)
        @Argument(help: "Username or sub.")
        var person: String
        @Option(help: "client_id of a client that may send requests.")
        var client: String
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            try await place.show(
                .askApproval, [.person: person], body: ["client_id": .string(client)])
        }
    }
}
