// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import JOSE
import Primitives

/// `gatehouse security-key set-pin`
struct SecurityKeySetPINCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-pin",
        abstract: "Set the first PIN of a key.",
        discussion: "Example: gatehouse security-key set-pin --new-pin-file pin.txt")

    @OptionGroup var key: SecurityKeyOptions
    @OptionGroup var new: NewPINOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let given = try new.readPIN()
        let isSet = try await key.withKey(.setPIN) {
            (key, person) async throws(SecurityKeyError) -> Bool in
            guard key.info?.hasPIN != true else { return false }
            guard key.info?.canHavePIN == true else { throw .unsupported("a PIN") }
            let pin = try await NewPIN.get(given, key, person)
            try await key.setPIN(pin, random: SystemRandomSource())
            return true
        }
        guard isSet else {
            throw CommandError("this key has a PIN; use gatehouse security-key change-pin")
        }
        Outcome.report("The PIN is set.", ["pin": "set"], output)
    }
}
