// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

/// `gatehouse admin api-tokens hand-over`: when whoever answers for a token goes.
struct AdminAPITokenHandOverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hand-over", abstract: "Make somebody else answer for a token.",
        discussion: """
            A token may never more than whoever answers for it may at that moment, and nothing when
            they are gone. Who had it read keeps the secret: replace it in time.

            Example:

              gatehouse admin api-tokens hand-over 01890a5d-ac96-774b-bcce-b302099a8057 --to pia
            """)
    @Argument(help: ArgumentHelp(AdminAPITokensCommand.nameHelp))
    var id: String
    @Option(help: "User name of an administrator; the operator when absent.")
    var to: String?
    @OptionGroup var place: ProjectPlace

    func run() async throws {
        var body = JSONObject()
        body.set("username", to)
        let path = place.path(AdminAPITokensCommand.segment, id, "maker")
        try await place.change("PUT", path, body: .object(body))
    }
}
