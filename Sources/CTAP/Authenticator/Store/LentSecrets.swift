// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Copies of secrets for a value that accepts only arrays. They are overwritten together on
/// release, which must follow the release of the value.
final class LentSecrets {
    private var copies: [[UInt8]] = []

    func lend(_ secret: Secret) -> [UInt8] {
        let copy = secret.reveal()
        copies.append(copy)
        return copy
    }

    deinit { for copy in copies { Secret.overwrite(copy) } }
}
