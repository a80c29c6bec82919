// SPDX-License-Identifier: Apache-2.0
/// The result of a registration.
public enum ASAuthorizationProviderExtensionRegistrationResult: Int, Sendable {
    /// It is done.
    case success = 0
    /// Not now: it is tried again in about ten minutes.
    case failed = 1
    /// The registration must be repeated with a person.
    case userInterfaceRequired = 2
    /// Not until the configuration or the extension changes.
    case failedNoRetry = 3
}
