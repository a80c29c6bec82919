// SPDX-License-Identifier: Apache-2.0
package import PIN
import PasswordHashing

/// Opens the secrets that version 1 sealed (docs/protocols/pin.md, "Version 1").
///
/// It is a separate target, so that only programs that import it link libargon2 (decision 0037).
package struct Argon2PINStretching: PINVersion1Stretching {
    package init() {}

    package func key(of digits: [UInt8], salt: [UInt8], costs: PINVersion1Costs) -> [UInt8]? {
        try? Argon2.tag(
            password: digits, salt: salt,
            parameters: Argon2Parameters(
                memory: costs.memory, iterations: costs.iterations, lanes: costs.lanes),
            length: 32)
    }
}
