// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

struct AdminInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Invite a person to choose their first way in, or invite them again.",
        discussion: """
            Mails a link that works once and for a limited time. Without a mail server or an \
            address, or with --no-mail, it is printed: give it to the person and to nobody else. \
            Inviting again replaces the link before.

            Example: gatehouse admin people invite anna --days 3
            """)

    @Argument(help: "User name or sub.")
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
        let path = place.path("people", person, "invitation")
        if withdraw { return try await place.change("DELETE", path) }
        let body: JSONValue = ["lifetime": .integer(days * 86_400), "mail": .bool(mail)]
        let answer = try await place.server.administer {
            try await $0.call("POST", path, body: body)
        }
        if place.output.json { return print(answer.text) }
        if let url = answer["url"]?.string { print(url) }
        if let address = answer["mailed_to"]?.string { StandardError.print("mailed to \(address)") }
        StandardError.print("valid until \(answer["expires_at"]?.string ?? "-"), once")
    }
}
