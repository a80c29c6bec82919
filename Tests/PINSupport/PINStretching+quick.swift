// SPDX-License-Identifier: Apache-2.0
import Crypto
package import PIN

extension PINStretching {
    /// One HMAC instead of 600,000, so that tests are quick.
    package static let quick = PINStretching(rounds: 600_000) { digits, salt, rounds in
        let code = HMAC<SHA256>.authenticationCode(
            for: salt + withUnsafeBytes(of: rounds.bigEndian) { Array($0) },
            using: SymmetricKey(data: digits))
        return Array(code)
    }
}
