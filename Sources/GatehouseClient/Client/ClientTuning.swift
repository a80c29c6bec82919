// SPDX-License-Identifier: Apache-2.0
package import PasswordHashing
package import Primitives

/// Values that tests replace.
package struct ClientTuning: Sendable {
    /// The Argon2id parameters that seal a PIN.
    package var pinCosts: Argon2Parameters
    package var random: any RandomSource

    package init(pinCosts: Argon2Parameters, random: any RandomSource = SystemRandomSource()) {
        self.pinCosts = pinCosts
        self.random = random
    }
}
