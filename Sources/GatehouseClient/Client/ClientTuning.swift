// SPDX-License-Identifier: Apache-2.0
package import PIN
package import Primitives

/// Values that tests replace.
package struct ClientTuning: Sendable {
    /// How a PIN is stretched.
    package var stretching: PINStretching
    package var random: any RandomSource

    package init(
        stretching: PINStretching = .standard, random: any RandomSource = SystemRandomSource()
    ) {
        self.stretching = stretching
        self.random = random
    }
}
