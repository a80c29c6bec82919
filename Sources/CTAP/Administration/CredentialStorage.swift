// SPDX-License-Identifier: Apache-2.0

/// How full a key is.
package struct CredentialStorage: Sendable, Equatable {
    package let used: Int
    package let remaining: Int
}
