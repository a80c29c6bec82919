// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The description that a device sends with its request for a code, as one line for the person. It
/// is untrusted: no decision depends on it, and it contains no markup or line breaks.
package struct DeviceSelfDescription: Sendable, Equatable {
    /// Empty if the device sent none.
    package let text: String

    /// Maximum number of characters of each of the two.
    package static let greatest = 64

    package init(name: String? = nil, model: String? = nil) {
        text = [name, model].compactMap { $0?.singleLine(atMost: Self.greatest) }
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
