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
    /// The bundle identifier or package name: 1 to 128 ASCII letters, digits and `. _ -`.
    public var identifier: String
    /// One to four numbers with dots between them.
    public var version: String

    /// An app of that version.
    public init(identifier: String, version: String) {
        self.identifier = identifier
        self.version = version
    }

    /// As it is sent, on this system; `nil` when it cannot be written so.
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

/// What the provider says to an app that is too old, or on a system that is.
public struct UpdateAdvice: Sendable, Hashable {
    /// The oldest version that is let in; `nil` when it is this one that is shut out.
    public let minimumVersion: String?
    /// Where a newer one is, as the operator says.
    public let updateURL: String?
}
