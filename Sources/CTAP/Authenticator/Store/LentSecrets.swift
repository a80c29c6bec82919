// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Copies of secrets for a value that takes arrays only; they are overwritten together when this
/// goes, which must outlive the value.
final class LentSecrets {
    private var copies: [[UInt8]] = []

    func lend(_ secret: Secret) -> [UInt8] {
        let copy = secret.reveal()
        copies.append(copy)
        return copy
    }

    deinit { for copy in copies { Secret.overwrite(copy) } }
}
