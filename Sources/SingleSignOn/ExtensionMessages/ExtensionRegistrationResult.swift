// SPDX-License-Identifier: Apache-2.0

/// The result of a registration, with Apple's raw values.
package enum ExtensionRegistrationResult: Int, Sendable, CaseIterable {
    case success = 0
    case failed = 1
    case userInterfaceRequired = 2
    case failedNoRetry = 3
}
