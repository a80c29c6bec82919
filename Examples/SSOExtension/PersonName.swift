// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

/// Who registers, where the system does not know it yet. On Apple's systems a view controller asks; here the
/// extension says what it needs, and a terminal, a window or a page asks for it.
enum PersonName {
    static func ask(
        _ loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async throws -> String {
        try await loginManager.presentRegistrationViewController()
        #if canImport(Darwin)
            return NSUserName()
        #else
            return try await loginManager.dialog.line("Your name at the small provider:")
        #endif
    }
}
