// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import JOSE
import Primitives

/// Where a new PIN comes from.
struct NewPINOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the new PIN from this file (or from GATEHOUSE_SECURITY_KEY_NEW_PIN).",
            valueName: "file"))
    var newPinFile: String?

    func given() throws -> String? {
        try SecretInput.read(file: newPinFile, variable: "GATEHOUSE_SECURITY_KEY_NEW_PIN")
    }
}

/// `gatehouse security-key set-pin`
struct SecurityKeySetPINCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-pin",
        abstract: "Give a key its first PIN.",
        discussion: "Example: gatehouse security-key set-pin --new-pin-file pin.txt")

    @OptionGroup var key: SecurityKeyOptions
    @OptionGroup var new: NewPINOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let given = try new.given()
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
        Outcome.tell("The PIN is set.", ["pin": "set"], output)
    }
}

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
        let given = try new.given()
        try await key.withKey(.changePIN) { (key, person) async throws(SecurityKeyError) in
            guard key.info?.hasPIN == true else { throw .pinNotSet }
            guard let old = await person.pin(of: key.description) else { throw .cancelled }
            let pin = try await NewPIN.get(given, key, person)
            try await key.changePIN(from: old, to: pin, random: SystemRandomSource())
        }
        Outcome.tell("The PIN is changed.", ["pin": "changed"], output)
    }
}

private enum NewPIN {
    /// The PIN that was given, or one that the person makes up.
    static func get(
        _ given: String?, _ key: SecurityKey, _ person: TerminalInteraction
    ) async throws(SecurityKeyError) -> String {
        if let given { return given }
        guard let pin = await person.newPIN(minimumLength: key.info?.minPINLength ?? 4) else {
            throw .cancelled
        }
        return pin
    }
}
