// SPDX-License-Identifier: Apache-2.0
import AppRegistration

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which app it is, and which version of it: what the project's rules for versions go by.
///
/// It is sent with every request to the provider, and with none to others, together with the name
/// and version of the system. As JSON `{"identifier": "com.example.notes", "version": "2.4.1"}`.
public struct ApplicationIdentity: Sendable, Hashable, Codable {
    /// The bundle identifier or package name: 1 to 128 of `A-Z`, `a-z`, `0-9`, `.`, `_` and `-`.
    public var identifier: String
    /// One to four numbers, separated by dots.
    public var version: String

    /// An app of that version.
    public init(identifier: String, version: String) {
        self.identifier = identifier
        self.version = version
    }

    /// The value of the request header; `nil` if it cannot be represented.
    var field: String? {
        let system = ProcessInfo.processInfo.operatingSystemVersion
        let numbers = [system.majorVersion, system.minorVersion, system.patchVersion]
        guard let version = VersionNumber(version),
            let systemVersion = VersionNumber(numbers.map(String.init).joined(separator: "."))
        else { return nil }
        return ApplicationVersion(
            application: identifier, version: version, system: Self.system,
            systemVersion: systemVersion)?.field
    }

    private static var system: String {
        #if os(Linux)
            "linux"
        #elseif os(macOS)
            "macos"
        #elseif os(iOS)
            "ios"
        #elseif os(tvOS)
            "tvos"
        #elseif os(watchOS)
            "watchos"
        #elseif os(visionOS)
            "visionos"
        #elseif os(Android)
            "android"
        #else
            "other"
        #endif
    }
}

/// The provider's advice for an app, or a system, that is too old.
public struct UpdateAdvice: Sendable, Hashable {
    /// The oldest version that is let in; `nil` when it is this one that is shut out.
    public let minimumVersion: String?
    /// The operator's URL of a newer version.
    public let updateURL: String?
}
