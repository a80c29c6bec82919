// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import JOSE
import ProviderAdministration

/// Rules for PINs of app installations.
struct AdminPINPolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin-policy",
        abstract: "Rules for PINs of app installations.",
        discussion: """
            Examples:

              gatehouse admin pin-policy show
              gatehouse admin pin-policy set --use required --length 6 --attempts 3
            """,
        subcommands: [Show.self, Set.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the current settings.",
            discussion: "Example: gatehouse admin pin-policy show")
        @OptionGroup var place: ProjectOptions

        func run() async throws { try await place.show(.showPINPolicy) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the given settings.",
            discussion: "Example: gatehouse admin pin-policy set --length 6 --attempts 3")
        @Option(help: "off, optional or required.")
        var use: String?
        @Option(help: "Number of digits.")
        var length: Int64?
        @Option(help: "Failed attempts before the PIN is locked.")
        var attempts: Int64?
        @Option(help: "How often one digit may be repeated in a row.")
        var maximumRepeats: Int64?
        @Flag(inversion: .prefixedNo, help: "Allow sequences such as 12345.")
        var allowSequences: Bool?
        @Option(help: "A PIN that is not allowed; repeatable. Replaces the stored list.")
        var blocked: [String] = []
        @OptionGroup var place: ProjectOptions

        func run() async throws {
            var body = JSONObject()
            body.set("use", use)
            body.set("length", length)
            body.set("attempts", attempts)
            body.set("maximum_repeats", maximumRepeats)
            body.set("allows_sequences", allowSequences)
            body.set("blocked", blocked)
            try await place.change(.putPINPolicy, body: .object(body))
        }
    }
}
