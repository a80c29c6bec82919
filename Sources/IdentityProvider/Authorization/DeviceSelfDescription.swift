// SPDX-License-Identifier: Apache-2.0
import Primitives

/// What a device says of itself when it asks for a code, as one line for a person. Anybody can say
/// anything: nothing is decided by it, and nothing in it can steer the page or pass for its words.
package struct DeviceSelfDescription: Sendable, Equatable {
    /// Empty when it said nothing.
    package let text: String

    /// Letters of each of the two.
    package static let greatest = 64

    package init(name: String? = nil, model: String? = nil) {
        text = [name, model].compactMap { $0?.singleLine(atMost: Self.greatest) }
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
