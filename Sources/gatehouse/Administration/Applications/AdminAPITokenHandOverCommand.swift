// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// `gatehouse admin api-tokens hand-over`: transfers an API token, for example before its owner
/// leaves.
struct AdminAPITokenHandOverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hand-over", abstract: "Transfer a token to another owner.",
        discussion: """
            A token never has more rights than its owner has at the time of use, and none after the
            owner lost the role. The transfer replaces the token with a new one, which is printed
            here only. The old one becomes invalid. The operator transfers tokens to other people;
            administrators take them over in the console.

            Example:

              gatehouse admin api-tokens hand-over 01890a5d-ac96-774b-bcce-b302099a8057 --to pia
            """)
    @Argument(help: ArgumentHelp(AdminAPITokensCommand.nameHelp))
    var id: String
    @Option(help: "Username of an administrator; the operator when absent.")
    var to: String?
    @Flag(help: "Keep the current token value. Use this only if no person has seen the token.")
    var keepSecret = false
    @Option(help: "New file for the token; standard output when absent.")
    var tokenPath: String?
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        var body = JSONObject()
        body.set("username", to)
        if keepSecret {
            body["keep_secret"] = true
            return try await place.change(
                .handOverAPIToken, [.token: id], body: .object(body))
        }
        try await OneTimeSecretOutput(member: "token", name: "token", path: tokenPath).make(
            by: .handOverAPIToken, [.token: id], body: body, in: place,
            note: OneTimeSecretOutput.validity)
    }
}
