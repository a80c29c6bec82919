// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// The declaration of an app: its identifier and its associated domains. On Apple's systems this is
/// in the code signature; here the app declares it, and the domains confirm it.
///
/// The first of these sources applies:
///
/// 1. ``declare(_:)``;
/// 2. the environment: `GATEHOUSE_APP_IDENTIFIER`, and `GATEHOUSE_ASSOCIATED_DOMAINS` with entries
///   separated by spaces;
/// 3. the file `EXECUTABLE.entitlements` next to the executable, the property list that Xcode
///   writes, with Apple's keys: `application-identifier` (or `com.apple.application-identifier`),
///   `com.apple.developer.associated-domains`, and
///   `com.apple.developer.web-browser.public-key-credential`.
public struct AppEntitlements: Sendable, Equatable {
    /// Prefix and bundle identifier, as `webcredentials` lists it: `9JA89QQLNQ.com.example.app`.
    public var applicationIdentifier: String
    /// Entries as on Apple's systems: `webcredentials:example.com`,
    /// `webcredentials:*.example.com`, `webcredentials:localhost:8080?mode=developer`.
    public var associatedDomains: [String]
    /// Whether the app is a browser, which makes client data for its pages itself.
    public var isWebBrowser: Bool

    /// Creates a declaration.
    public init(
        applicationIdentifier: String, associatedDomains: [String], isWebBrowser: Bool = false
    ) {
        self.applicationIdentifier = applicationIdentifier
        self.associatedDomains = associatedDomains
        self.isWebBrowser = isWebBrowser
    }

    private static let declared = Mutex<AppEntitlements?>(nil)

    /// Declares what this process is, for all authorizations from now on.
    public static func declare(_ entitlements: AppEntitlements) {
        declared.withLock { $0 = entitlements }
    }

    /// The declaration of this process; `nil` if there is none.
    static var ofThisProcess: AppEntitlements? {
        declared.withLock { $0 }
            ?? read(
                environment: ProcessInfo.processInfo.environment,
                executable: Bundle.main.executablePath)
    }

    package static func read(
        environment: [String: String], executable: String?
    ) -> AppEntitlements? {
        if let identifier = environment["GATEHOUSE_APP_IDENTIFIER"], !identifier.isEmpty {
            let domains = environment["GATEHOUSE_ASSOCIATED_DOMAINS"] ?? ""
            return AppEntitlements(
                applicationIdentifier: identifier,
                associatedDomains: domains.split(separator: " ").map(String.init))
        }
        guard let executable,
            let file = try? Data(contentsOf: URL(fileURLWithPath: executable + ".entitlements"))
        else { return nil }
        return AppEntitlements(propertyList: file)
    }

    /// Reads the property list; `nil` when it is none or names no app.
    package init?(propertyList: Data) {
        guard propertyList.count <= 65_536,
            let list = try? PropertyListSerialization.propertyList(
                from: propertyList, options: [], format: nil) as? [String: Any],
            let identifier =
                (list["application-identifier"]
                ?? list["com.apple.application-identifier"]) as? String
        else { return nil }
        self.init(
            applicationIdentifier: identifier,
            associatedDomains: list["com.apple.developer.associated-domains"] as? [String] ?? [],
            isWebBrowser: list["com.apple.developer.web-browser.public-key-credential"] as? Bool
                ?? false)
    }
}
