// SPDX-License-Identifier: Apache-2.0

/// The condition on the stored resource under which a resource is saved.
package enum SaveCondition<Earlier: Sendable>: Sendable {
    /// Any stored resource, or none.
    case always
    /// No resource has the name (`If-None-Match: *`).
    case onlyNew
    /// The stored resource is the one that the administrator saw.
    case onlyOver(Earlier)

    package var isOnlyNew: Bool {
        if case .onlyNew = self { true } else { false }
    }
}
