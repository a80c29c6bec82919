// SPDX-License-Identifier: Apache-2.0

/// Why a U2F command is not carried out.
package struct U2FRefusal: Error, Sendable, Equatable {
    package let status: StatusWord

    package init(_ status: StatusWord) { self.status = status }
}
