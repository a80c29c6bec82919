// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

/// `gatehouse admin api-tokens hand-over`: transfers an API token, for example before its owner
/// leaves.
struct AdminAPITokenHandOverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hand-over", abstract: "Transfer a token to another owner.",
        discussion: """
            A token may never more than whoever answers for it may at that moment, and nothing when
            they are gone. Handed over it is another one, printed here only: whoever had the old one
            read has nothing, and the program needs the new one. Who gives a token to somebody else
            is the operator; administrators take it over themselves, in the console.

            Example:

              gatehouse admin api-tokens hand-over 01890a5d-ac96-774b-bcce-b302099a8057 --to pia
            """)
    @Argument(help: ArgumentHelp(AdminAPITokensCommand.nameHelp))
    var id: String
    @Option(help: "User name of an administrator; the operator when absent.")
    var to: String?
    @Flag(help: "Keep the current token value. Use this only if no person has seen the token.")
    var keepSecret = false
    @Option(help: "New file for the token; standard output when absent.")
    var tokenPath: String?
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        var body = JSONObject()
        body.set("username", to)
        let path = place.path(AdminAPITokensCommand.segment, id, "maker")
        if keepSecret {
            body["keep_secret"] = true
            return try await place.change("PUT", path, body: .object(body))
        }
        try await OneTimeSecretOutput(member: "token", name: "token", path: tokenPath).make(
            at: path, method: "PUT", body: body, in: place, note: OneTimeSecretOutput.validity)
    }
}
