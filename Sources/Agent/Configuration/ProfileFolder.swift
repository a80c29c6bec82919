// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives
import SSOExtensions
package import SingleSignOn

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The profiles that are installed: every `.mobileconfig`, `.plist` and `.json` of a folder, by
/// default `/etc/gatehouse/profiles`. To remove a profile is to remove its file.
package struct ProfileFolder: Sendable {
    package let path: String
    private static let greatestFile = 1 << 20
    private static let greatestCount = 64

    package init(path: String) { self.path = path }

    /// What is installed at that time, and what of it does not count. Blocks.
    package func read(now: Timestamp) -> InstalledProfiles {
        var profiles = InstalledProfiles()
        let isClosed = Self.isClosed(path)
        let names = (Self.names(in: path) ?? []).filter(Self.isProfile).sorted()
        for name in names.prefix(Self.greatestCount) {
            do throws(ProfileFileError) {
                var content = try Self.content(path + "/" + name)
                content.isReadable = content.isReadable && !isClosed
                profiles.add(content, name: name, now: now)
            } catch {
                profiles.problems.append(.init(file: name, reason: error.reason))
            }
        }
        return profiles
    }

    private static func isProfile(_ name: String) -> Bool {
        !name.hasPrefix(".")
            && [".mobileconfig", ".plist", ".json"].contains { name.hasSuffix($0) }
    }

    private static func names(in path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }

    struct Content {
        var bytes: [UInt8]
        var installedAt: Timestamp
        /// Whether others than its owner can read it.
        var isReadable: Bool
    }

    /// Whether nobody but its owner reaches what is in the folder.
    private static func isClosed(_ path: String) -> Bool {
        FileFacts(path).map { $0.permissions & 0o011 == 0 } ?? false
    }

    /// Only what root, or the agent's own user, has written counts: it decides whom the machine trusts.
    private static func content(_ path: String) throws(ProfileFileError) -> Content {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .unreadable }
        defer { close(file) }
        guard let facts = FileFacts(descriptor: file), facts.isOrdinaryFile else {
            throw .unreadable
        }
        guard facts.owner == 0 || facts.owner == geteuid(), facts.permissions & 0o022 == 0 else {
            throw .exposed
        }
        guard facts.length <= greatestFile else { throw .tooLarge }
        var bytes = [UInt8](repeating: 0, count: greatestFile + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                systemRead(file, buffer.baseAddress?.advanced(by: length), buffer.count - length)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable }
            if count == 0 { break }
            length += count
        }
        guard length <= greatestFile else { throw .tooLarge }
        return Content(
            bytes: Array(bytes.prefix(length)),
            installedAt: Timestamp(seconds: facts.changedAt),
            isReadable: facts.permissions & 0o044 != 0)
    }
}

private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = {
    read($0, $1, $2)
}

/// Why a file is no profile of this machine.
enum ProfileFileError: Error, Sendable {
    case unreadable, exposed, tooLarge

    var reason: String {
        switch self {
        case .unreadable: "it cannot be read"
        case .exposed: "others than root can write it, or own it"
        case .tooLarge: "it is larger than a megabyte"
        }
    }
}

/// What a folder of profiles says.
package struct InstalledProfiles: Sendable, Equatable {
    package struct Problem: Sendable, Equatable {
        package let file: String
        package let reason: String
    }

    package var installed: [InstalledConfiguration] = []
    package var problems: [Problem] = []
    /// Of profiles that count, and ought to be kept otherwise.
    package var warnings: [Problem] = []
    /// When the first of them removes itself.
    package var nextRemoval: Timestamp?
    private var digests: [[UInt8]] = []

    package init() {}

    mutating func add(_ content: ProfileFolder.Content, name: String, now: Timestamp) {
        let inspection: ProfileInspection
        do throws(ProfileRefusal) {
            inspection = try ProfileInspection(content.bytes, context: .init(now: now))
        } catch {
            return problems.append(Problem(file: name, reason: error.reason))
        }
        if let finding = inspection.findings.first(where: { $0.severity == .error }) {
            return problems.append(
                Problem(file: name, reason: "\(finding.path): \(finding.problem)"))
        }
        let (channel, source): (Channel, String)
        switch inspection.subject {
        case .profile(let profile):
            if let removal = profile.removal(installedAt: content.installedAt) {
                // It has removed itself.
                guard removal > now else { return }
                nextRemoval = min(nextRemoval ?? removal, removal)
            }
            channel = Channel(profile.envelope.scope ?? .system)
            source = profile.envelope.identifier ?? name
        case .declaration(let declaration): (channel, source) = (.device, declaration.identifier)
        }
        let hasToken = inspection.singleSignOn.contains { $0.registrationToken?.isEmpty == false }
        if content.isReadable, hasToken {
            warnings.append(
                Problem(
                    file: name,
                    reason: "everybody here can read its registration token; chmod 600"))
        }
        digests.append(Array(SHA256.hash(data: content.bytes)))
        installed += inspection.singleSignOn.map {
            InstalledConfiguration($0, channel: channel, source: source)
        }
    }

    package var effective: EffectiveConfiguration { EffectiveConfiguration(installed) }

    /// Changes with every byte of every profile.
    package var revision: String {
        let all = digests.reduce(into: [UInt8]()) { $0 += $1 }
        return Base64URL.encode(Array(SHA256.hash(data: all)).prefix(12))
    }
}

extension SSOConfiguration {
    /// `key_stores` in `ExtensionData`: where keys may live, as ``KeyStoreKind`` calls it; `nil` when the
    /// profile does not say.
    var keyStores: [String]? {
        extensionData?.first { $0.name == "key_stores" }.map { entry in
            (entry.value.array ?? [entry.value]).compactMap(\.string)
        }
    }
}

extension RegistrationPlan {
    /// - Parameters:
    ///   - extensionRevision: Of the program that serves it.
    ///   - hasKeyService: Whether the extension speaks protocol 2.0.
    /// - Returns: `nil` when the payload configures no Platform SSO.
    package init?(
        _ configuration: SSOConfiguration, revision: String, extensionRevision: String,
        hasKeyService: Bool
    ) {
        guard let method = configuration.authenticationMethod,
            let identifier = configuration.extensionIdentifier
        else { return nil }
        let settings = configuration.platformSSO
        let isShared = settings?.useSharedDeviceKeys ?? false
        self.init(
            extensionIdentifier: (configuration.teamIdentifier.map { "\($0)." } ?? "") + identifier,
            method: method.rawValue, sharesDeviceKeys: isShared,
            hasToken: configuration.registrationToken.map { !$0.isEmpty } ?? false,
            usesKeyService: hasKeyService && isShared && [.password, .openID].contains(method),
            exemptAccounts: Set(settings?.nonPlatformSSOAccounts ?? []),
            revision: revision + "/" + extensionRevision)
    }
}
