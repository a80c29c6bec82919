// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import ProviderAdministration

struct AdminInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract:
            "Invite a person to register their first sign-in method, or repeat the invitation.",
        discussion: """
            Mails a single-use link with a time limit. Without a mail server or an email address, \
            or with --no-mail, the command prints the link; give it only to the person. If the \
            mail fails, the command reports so and prints the link. A new invitation replaces the \
            previous link.

            Example: gatehouse admin people invite anna --days 3
            """)

    @Argument(help: "Username or sub.")
    var person: String
    @Option(help: "How long the link works: 1 to 30.")
    var days: Int64 = 7
    @Flag(inversion: .prefixedNo, help: "Send the link by email.")
    var mail = true
    @Flag(help: "Withdraw the invitation instead.")
    var withdraw = false
    @OptionGroup var place: ProjectOptions

    func validate() throws {
        guard (1...30).contains(days) else {
            throw ValidationError("--days must be a number from 1 to 30")
        }
    }

    func run() async throws {
        if withdraw { return try await place.change(.withdrawInvitation, [.person: person]) }
        let body: JSONValue = ["lifetime": .integer(days * 86_400), "mail": .bool(mail)]
        let answer = try await place.call(.invitePerson, [.person: person], body: body)
        if place.output.json { return print(answer.text) }
        if let url = answer["url"]?.string { print(url) }
        for note in Self.notes(answer, person) { StandardError.print(note) }
    }

    /// The result for standard error: where the link is, and what to do if it was not mailed.
    static func notes(_ answer: JSONValue, _ person: String) -> [String] {
        let reason: String? =
            switch answer["not_mailed"]?.string {
            case "mail_failed":
                "the mail failed: see the log of the provider. Give the person the link above, or repair "
                    + "the mail server and run `gatehouse admin people invite \(person)` again, "
                    + "which replaces the link"
            case "no_mail_server":
                "not mailed: the provider has no mail server (smtp). Give the person the link above"
            case "no_address":
                "not mailed: the person has no e-mail address. Give the person the link above"
            default: answer["mailed_to"]?.string.map { "mailed to \($0)" }
            }
        return [reason, "valid until \(answer["expires_at"]?.string ?? "-"), once"].compactMap {
            $0
        }
    }
}
