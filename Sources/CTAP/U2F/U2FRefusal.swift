// SPDX-License-Identifier: Apache-2.0

/// The refusal of a U2F command.
package struct U2FRefusal: Error, Sendable, Equatable {
    package let status: StatusWord

    package init(_ status: StatusWord) { self.status = status }
}
