// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE

struct AdminRegistrationTokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration-tokens",
        abstract: "Tokens that let machines register without a person.",
        discussion: """
            Examples:

              gatehouse admin registration-tokens create --uses 200 --days 30 --label fleet
              gatehouse admin registration-tokens create --serial C02XY1234567
            """,
        subcommands: [List.self, Create.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "All tokens of a project, without the tokens themselves.",
            discussion: "Example: gatehouse admin registration-tokens list")
        @OptionGroup var place: ProjectPlace

        func run() async throws {
            try await place.list(
                place.path("registration-tokens"),
                columns: [
                    "id", "label", "state", "serial_number", "uses", "maximum_uses", "expires_at",
                ])
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a token, and print it: it can be read here only.",
            discussion: """
                It goes into the profile as RegistrationToken. A token for a serial number also
                registers that machine again after it was wiped; one for any machine does not.

                Example: gatehouse admin registration-tokens create --uses 200 --days 30
                """)
        @Option(help: "The only machine it is for.")
        var serial: String?
        @Option(help: "How many machines it registers.")
        var uses: Int64 = 1
        @Option(help: "How long it is good: 1 to 1830.")
        var days: Int64 = 7
        @Option(help: "What to call it.")
        var label: String?
        @OptionGroup var place: ProjectPlace

        func validate() throws {
            guard (1...1830).contains(days) else {
                throw ValidationError("--days must be a number from 1 to 1830")
            }
        }

        func run() async throws {
            var body = JSONObject()
            body["serial_number"] = serial.map(JSONValue.string)
            body["label"] = label.map(JSONValue.string)
            body["maximum_uses"] = .integer(uses)
            body["lifetime"] = .integer(days * 86_400)
            let wish = JSONValue.object(body)
            let answer = try await place.server.administer {
                try await $0.call("POST", place.path("registration-tokens"), body: wish)
            }
            if place.output.json { return print(answer.text) }
            print(answer["token"]?.string ?? "")
            StandardError.print("valid until \(answer["expires_at"]?.string ?? "-")")
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a token; machines that registered with it stay.",
            discussion: """
                Example: gatehouse admin registration-tokens revoke 01890a5d-ac96-774b-bcce-b302099a8057
                """)
        @Argument(help: "Its id.")
        var token: String
        @OptionGroup var place: ProjectPlace

        func run() async throws {
            try await place.change("DELETE", place.path("registration-tokens", token))
        }
    }
}
