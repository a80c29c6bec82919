// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import JOSE
import Primitives

/// `gatehouse security-key change-pin`
struct SecurityKeyChangePINCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-pin",
        abstract: "Replace the PIN of a key.",
        discussion: """
            Example: gatehouse security-key change-pin --pin-file old.txt --new-pin-file new.txt
            """)

    @OptionGroup var key: SecurityKeyOptions
    @OptionGroup var new: NewPINOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let given = try new.readPIN()
        try await key.withKey(.changePIN) { (key, person) async throws(SecurityKeyError) in
            guard key.info?.hasPIN == true else { throw .pinNotSet }
            guard let old = await person.pin(of: key.description) else { throw .cancelled }
            let pin = try await NewPIN.get(given, key, person)
            try await key.changePIN(from: old, to: pin, random: SystemRandomSource())
        }
        Outcome.report("The PIN is changed.", ["pin": "changed"], output)
    }
}
