// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import JOSE

/// `gatehouse security-key reset`
struct SecurityKeyResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Erase everything on a key.",
        discussion: """
            Before the reset, make sure that every account of the key has another sign-in method. \
            Most keys allow a reset only just after they were inserted.

            Example: gatehouse security-key reset --device /dev/hidraw0
            """)

    @Flag(help: "Skip the confirmation.")
    var yes = false
    @OptionGroup var key: SecurityKeyOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let yes = yes
        let name = try await key.administer(.reset) {
            (administration, person) async throws(SecurityKeyError) in
            let key = administration.key.description
            let place = key.name == key.id ? key.id : "\(key.name) (\(key.id))"
            try await person.confirm(
                "every credential, the PIN and the fingerprints on \(place)", isAgreed: yes)
            try await administration.reset()
            return key.name
        }
        Outcome.report("Everything on \(name) is erased.", ["reset": true], output)
    }
}
