// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A device that may register once more although its bit at Apple is set, in the form in which an
/// administrator writes it: `NAME until 2026-12-01T00:00:00Z`.
///
/// The app reports the name (for example `identifierForVendor`). A person who knows it and has a
/// genuine device can use the allowance too, until its expiry.
package struct DeviceAllowance: Sendable, Equatable {
    let device: String
    let until: Timestamp

    /// Returns `nil` for other text.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1] == "until",
            (1...128).contains(words[0].utf8.count),
            words[0].utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let until = Timestamp(rfc3339: String(words[2]))
        else { return nil }
        device = String(words[0])
        self.until = until
    }

    func admits(_ device: String, at now: Timestamp) -> Bool {
        self.device.hasSameBytes(as: device) && now < until
    }
}
