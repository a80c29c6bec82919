// SPDX-License-Identifier: Apache-2.0

/// Why a key cannot be made or used, or the state not be opened.
package enum KeyStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    case unusable(String)
    /// The state was sealed with another kind of store than the policy asks for.
    case otherStore(found: KeyStoreKind, wanted: KeyStoreKind)

    package var description: String {
        switch self {
        case .unusable(let reason): "a key cannot be used: \(reason)"
        case .otherStore(let found, let wanted):
            "the keys of this device are in \(found.rawValue), not in \(wanted.rawValue); keys cannot "
                + "be moved: remove the state and register again"
        }
    }
}
