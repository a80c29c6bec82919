// SPDX-License-Identifier: Apache-2.0

/// The numbers of stored and remaining discoverable credentials.
package struct CredentialStorage: Sendable, Equatable {
    package let used: Int
    package let remaining: Int
}
