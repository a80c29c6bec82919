// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Amounts that somebody is given, or uses up, in one step.
///
/// The request is remembered with its outcome, so that asking again after a lost answer gives the
/// first answer and changes nothing.
package struct ExpendableChange: Sendable, Equatable {
    package var person: Identifier<Person>
    /// Chosen by whoever asks: 16 bytes.
    package var request: [UInt8]
    /// By name; below zero for what is taken. Never zero.
    package var amounts: [String: Int64]
    package var at: Timestamp
    /// Until then the request is remembered.
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
    /// What is left of each that was changed.
    case changed([String: Int64])
    /// The same request was answered before, with this.
    case repeated([String: Int64])
    /// Less than that is left of the one named; nothing was changed.
    case tooLittle(String, left: Int64)
    /// It would be more than can be counted; nothing was changed.
    case tooMuch(String)
    /// The request stood for another change.
    case requestTaken
    case unknownPerson
}
