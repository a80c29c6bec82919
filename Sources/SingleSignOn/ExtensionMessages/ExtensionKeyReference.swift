// SPDX-License-Identifier: Apache-2.0

/// A key of the agent: the active one, or the pending one of a rotation.
package struct ExtensionKeyReference: Sendable, Hashable {
    package var type: ExtensionKeyType
    package var isPending: Bool

    package init(_ type: ExtensionKeyType, isPending: Bool = false) {
        self.type = type
        self.isPending = isPending
    }
}
