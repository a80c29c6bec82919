// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

/// Who registers, where the system does not know it yet.
enum PersonName {
    /// On a Mac the extension runs as the person. On Linux it says what it needs, and a terminal, a window or
    /// a page asks for it.
    static func ask(
        _ loginManager: ASAuthorizationProviderExtensionLoginManager
    ) async throws -> String {
        #if os(Linux)
            try await loginManager.presentRegistrationViewController()
            return try await loginManager.dialog.line("Your name at the provider:")
        #else
            return NSUserName()
        #endif
    }
}
