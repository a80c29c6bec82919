// SPDX-License-Identifier: Apache-2.0
import CTAP

enum NewPIN {
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
