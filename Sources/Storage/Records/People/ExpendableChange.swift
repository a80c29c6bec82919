// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Amounts that a person receives or consumes in one transaction.
///
/// The request is stored with its outcome, so that a repeated request has the same outcome and
/// changes nothing.
package struct ExpendableChange: Sendable, Equatable {
    package var person: Identifier<Person>
    /// The caller's request identifier: 16 bytes.
    package var request: [UInt8]
    /// By name; negative to consume. Never zero.
    package var amounts: [String: Int64]
    package var at: Timestamp
    /// The time until which the request is stored.
    package var rememberedUntil: Timestamp

    package init(
        person: Identifier<Person>, request: [UInt8], amounts: [String: Int64], at: Timestamp,
        rememberedUntil: Timestamp
    ) {
        self.person = person
        self.request = request
        self.amounts = amounts
        self.at = at
        self.rememberedUntil = rememberedUntil
    }
}

package enum ExpendableOutcome: Sendable, Equatable {
    /// The remaining amounts of the changed entitlements.
    case changed([String: Int64])
    /// The same request was applied before, with this outcome.
    case repeated([String: Int64])
    /// The amount of the named entitlement is too small; nothing was changed.
    case tooLittle(String, left: Int64)
    /// The amount would exceed the maximum; nothing was changed.
    case tooMuch(String)
    /// The request identifier belongs to another change.
    case requestTaken
    case unknownPerson
}
