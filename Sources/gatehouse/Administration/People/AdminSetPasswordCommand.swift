// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Platform
import Primitives
import ProviderAdministration
import ProviderPeople

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

            The password is read from --password-file or GATEHOUSE_PASSWORD. Otherwise --generate \
            makes one and prints it once, and without that the command prompts for it at the terminal.

            Examples:

              gatehouse admin people set-password anna
              gatehouse admin people set-password anna --generate
              gatehouse admin people set-password anna --password-file secret
            """)

    @Argument(help: "Username or sub.")
    var person: String
    @OptionGroup var password: NewPasswordOptions
    @Flag(help: "Generate a password and print it once.")
    var generate = false
    @Flag(inversion: .prefixedNo, help: "Have the person replace it at the next sign-in.")
    var mustChange = true
    @OptionGroup var place: ProjectOptions

    func validate() throws {
        guard !generate || password.passwordFile == nil else {
            throw ValidationError("use --generate or --password-file, not both")
        }
    }

    func run() async throws {
        let secret = try await secret()
        let body: JSONValue = [
            "password": .string(secret.revealText()), "password_must_change": .bool(mustChange),
        ]
        let names = place.names([.person: person])
        let answer = try await place.server.administer { connection in
            // A mistyped name makes no person.
            _ = try await connection.call(.showPerson, names)
            return try await connection.call(.putPerson, names, body: body)
        }
        print(Self.report(answer, generated: generate ? secret : nil, json: place.output.json))
    }

    private func secret() async throws -> Secret {
        if generate { return Secret(FirstPassword.make(random: SystemRandomSource())) }
        if let given = try password.read() { return given }
        guard let typed = try await PasswordPrompt.new(of: person).choose() else {
            throw CommandError(
                "no password was given; without a terminal, use --generate, "
                    + "--password-file FILE (- is standard input) or GATEHOUSE_PASSWORD",
                code: .badInput)
        }
        return typed
    }

    /// The result, with the password if the command made it.
    static func report(_ answer: JSONValue, generated: Secret?, json: Bool) -> String {
        guard let generated else {
            return json ? answer.text : ChangeReport(answer, verb: "changed").text
        }
        guard json else { return generated.revealText() }
        var object = answer.object ?? JSONObject()
        object["password"] = .string(generated.revealText())
        return JSONValue.object(object).text
    }
}
