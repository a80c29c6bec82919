// SPDX-License-Identifier: Apache-2.0

/// The unlock key of the key service: its public half, and the context that finds the private one.
package struct UnlockRecord: Sendable, Equatable {
    /// DER
    package var certificate: [UInt8]
    package var context: String?
}
