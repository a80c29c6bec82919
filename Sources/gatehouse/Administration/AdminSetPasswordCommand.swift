// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import Platform
import Primitives

/// A password that is read from a file, standard input or the environment.
struct NewPasswordOptions: ParsableArguments {
    @Option(help: "File with the password; - is standard input. GATEHOUSE_PASSWORD works too.")
    var passwordFile: String?

    func read() throws -> Secret? {
        guard let passwordFile else {
            return ProcessEnvironment["GATEHOUSE_PASSWORD"].map { Secret($0) }
        }
        return Secret(try DocumentFile.bytes(passwordFile).trimmedLine)
    }
}

struct AdminSetPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-password",
        abstract: "Set a first password, which the person replaces at the next sign-in.",
        discussion: """
            Ends the person's sessions and grants. Until it is replaced, the password leads to a page \
            that asks for another one, and to nothing else.

            Example: gatehouse admin people set-password anna --password-file secret
            """)

    @Argument(help: "User name or sub.")
    var person: String
    @OptionGroup var password: NewPasswordOptions
    @Flag(inversion: .prefixedNo, help: "Have the person replace it at the next sign-in.")
    var mustChange = true
    @OptionGroup var place: ProjectOptions

    func run() async throws {
        guard let secret = try password.read() else {
            throw ValidationError("give --password-file FILE or GATEHOUSE_PASSWORD")
        }
        let path = place.path("people", person)
        let body: JSONValue = [
            "password": .string(secret.revealText()), "password_must_change": .bool(mustChange),
        ]
        let answer = try await place.server.administer { connection in
            // A mistyped name makes no person.
            _ = try await connection.call("GET", path)
            return try await connection.call("PUT", path, body: body)
        }
        print(place.output.json ? answer.text : ChangeReport(answer, verb: "changed").text)
    }
}
