// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// Where a new PIN comes from.
struct NewPINOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the new PIN from this file (or from GATEHOUSE_SECURITY_KEY_NEW_PIN).",
            valueName: "file"))
    var newPinFile: String?

    func readPIN() throws -> String? {
        try SecretInput.read(file: newPinFile, variable: "GATEHOUSE_SECURITY_KEY_NEW_PIN")
    }
}
