// SPDX-License-Identifier: Apache-2.0
/// How a registration ended.
public enum ASAuthorizationProviderExtensionRegistrationResult: Int, Sendable {
    /// It is done.
    case success = 0
    /// Not now: it is tried again in about ten minutes.
    case failed = 1
    /// Ask again when a person is there.
    case userInterfaceRequired = 2
    /// Not until the configuration or the extension changes.
    case failedNoRetry = 3
}
