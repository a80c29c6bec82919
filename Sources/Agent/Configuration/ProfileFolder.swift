// SPDX-License-Identifier: Apache-2.0
import Crypto
import Platform
package import Primitives
import SSOExtensions
package import SingleSignOn

/// The profiles that are installed: every `.mobileconfig`, `.plist` and `.json` of a folder, by
/// default `/etc/gatehouse/profiles`. To remove a profile is to remove its file.
///
/// Those in `users/NAME` below it are for the account NAME alone, whatever channel they name.
package struct ProfileFolder: Sendable {
    package let path: String
    private static let greatestFile = 1 << 20
    private static let greatestCount = 64
    /// Accounts with profiles of their own.
    private static let greatestAccounts = 256
    private static let accountFolder = "users"

    package init(path: String) { self.path = path }

    /// What is installed at that time, and what of it does not count. Blocks.
    package func read(now: Timestamp) -> InstalledProfiles {
        var profiles = InstalledProfiles()
        let isClosed = Self.isClosed(path)
        read("", of: nil, isClosed: isClosed, now: now, into: &profiles)
        for account in accounts {
            let folder = Self.accountFolder + "/" + account + "/"
            guard Self.isTrusted(path + "/" + Self.accountFolder + "/" + account) else {
                profiles.refuse(.exposed, folder, of: account)
                continue
            }
            read(folder, of: account, isClosed: isClosed, now: now, into: &profiles)
        }
        return profiles
    }

    /// - Parameter folder: below this one; empty, or with a slash at its end.
    private func read(
        _ folder: String, of account: String?, isClosed: Bool, now: Timestamp,
        into profiles: inout InstalledProfiles
    ) {
        let isClosed = isClosed || Self.isClosed(path + "/" + folder)
        guard let all = Self.names(in: path + "/" + folder) else {
            if account != nil { profiles.refuse(.notFolder, folder, of: account) }
            return
        }
        let names = all.filter(Self.isProfile).sorted()
        for name in names.prefix(Self.greatestCount) {
            do throws(ProfileFileError) {
                var content = try Self.content(path + "/" + folder + name)
                content.isReadable = content.isReadable && !isClosed
                profiles.add(content, name: folder + name, of: account, now: now)
            } catch { profiles.refuse(error, folder + name, of: account) }
        }
    }

    /// Those that have a folder.
    private var accounts: [String] {
        let names = (Self.names(in: path + "/" + Self.accountFolder) ?? []).filter {
            !$0.hasPrefix(".") && $0.utf8.count <= 256
        }
        return Array(names.sorted().prefix(Self.greatestAccounts))
    }

    /// Wherever files may come or go: itself first.
    package var folders: [String] {
        let users = path + "/" + Self.accountFolder
        guard FileSystem.exists(users) else { return [path] }
        return [path, users] + accounts.map { users + "/" + $0 }
    }

    /// Whether only root, or the agent's own user, can put something into that folder.
    private static func isTrusted(_ path: String) -> Bool {
        guard let status = try? FileStatus(path) else { return false }
        return (status.owner == 0 || status.owner == SystemAccount.effectiveUser)
            && !status.isWritableByOthers
    }

    private static func isProfile(_ name: String) -> Bool {
        !name.hasPrefix(".")
            && [".mobileconfig", ".plist", ".json"].contains { name.hasSuffix($0) }
    }

    private static func names(in path: String) -> [String]? {
        try? Directory.names(in: path)
    }

    struct Content {
        var bytes: [UInt8]
        var installedAt: Timestamp
        /// Whether others than its owner can read it.
        var isReadable: Bool
    }

    /// Whether nobody but its owner reaches what is in the folder.
    private static func isClosed(_ path: String) -> Bool {
        (try? FileStatus(path)).map { $0.permissions & 0o011 == 0 } ?? false
    }

    /// Only what root, or the agent's own user, has written counts: it decides whom the machine trusts.
    private static func content(_ path: String) throws(ProfileFileError) -> Content {
        guard let file = try? Descriptor.open(path, [.read, .nonBlocking]) else {
            throw .unreadable
        }
        defer { file.close() }
        guard let status = try? FileStatus(file), status.kind == .file else { throw .unreadable }
        guard status.owner == 0 || status.owner == SystemAccount.effectiveUser,
            !status.isWritableByOthers
        else { throw .exposed }
        guard status.length <= greatestFile else { throw .tooLarge }
        guard let bytes = try? file.readAll(limit: greatestFile) else { throw .unreadable }
        guard bytes.count <= greatestFile else { throw .tooLarge }
        return Content(
            bytes: bytes,
            installedAt: Timestamp(seconds: status.changedAt),
            isReadable: status.permissions & 0o044 != 0)
    }
}

/// Why a file is no profile of this machine.
enum ProfileFileError: Error, Sendable {
    case unreadable, exposed, tooLarge, notFolder

    var reason: String {
        switch self {
        case .unreadable: "it cannot be read"
        case .exposed: "others than root can write it, or own it"
        case .tooLarge: "it is larger than a megabyte"
        case .notFolder: "profiles for one account are in a folder of its name"
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
    /// What is for one account alone.
    package var accounts: [String: [InstalledConfiguration]] = [:]
    package var problems: [Problem] = []
    /// Whether something that is for everybody cannot be read.
    package private(set) var isHalfRead = false
    /// Accounts of whose own profiles one cannot be read.
    package private(set) var halfReadAccounts: Set<String> = []
    /// Of profiles that count, and ought to be kept otherwise.
    package var warnings: [Problem] = []
    /// When the first of them removes itself.
    package var nextRemoval: Timestamp?
    private var digests: [[UInt8]] = []

    package init() {}

    mutating func refuse(_ error: ProfileFileError, _ name: String, of account: String?) {
        refuse(error.reason, name, of: account)
    }

    private mutating func refuse(_ reason: String, _ name: String, of account: String?) {
        problems.append(Problem(file: name, reason: reason))
        if let account { halfReadAccounts.insert(account) } else { isHalfRead = true }
    }

    private mutating func warnOfToken(_ inspection: ProfileInspection, _ name: String) {
        let hasToken = inspection.singleSignOn.contains { $0.registrationToken?.isEmpty == false }
        guard hasToken else { return }
        warnings.append(
            Problem(
                file: name, reason: "everybody here can read its registration token; chmod 600"))
    }

    mutating func add(
        _ content: ProfileFolder.Content, name: String, of account: String?, now: Timestamp
    ) {
        let inspection: ProfileInspection
        do throws(ProfileParseError) {
            inspection = try ProfileInspection(content.bytes, context: .init(now: now))
        } catch {
            return refuse(error.reason, name, of: account)
        }
        if let finding = inspection.findings.first(where: { $0.severity == .error }) {
            return refuse("\(finding.path): \(finding.problem)", name, of: account)
        }
        let (channel, source): (ProfileChannel, String)
        switch inspection.subject {
        case .profile(let profile):
            if let removal = profile.removal(installedAt: content.installedAt) {
                // It has removed itself.
                guard removal > now else { return }
                nextRemoval = min(nextRemoval ?? removal, removal)
            }
            channel = ProfileChannel(profile.envelope.scope ?? .system)
            source = profile.envelope.identifier ?? name
        case .declaration(let declaration): (channel, source) = (.device, declaration.identifier)
        }
        if content.isReadable { warnOfToken(inspection, name) }
        let prefix: [UInt8] = account.map { Array($0.utf8) + [0] } ?? []
        digests.append(Array(SHA256.hash(data: prefix + content.bytes)))
        let found = inspection.singleSignOn.map {
            InstalledConfiguration($0, channel: account == nil ? channel : .user, source: source)
        }
        if let account { accounts[account, default: []] += found } else { installed += found }
    }

    /// What holds for everybody.
    package var effective: EffectiveConfiguration { EffectiveConfiguration(installed) }

    /// What holds for one account. What is for everybody goes before what is for it alone.
    package func effective(for account: String) -> EffectiveConfiguration {
        guard let own = accounts[account] else { return effective }
        return EffectiveConfiguration(installed + own)
    }

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
    ///   - accounts: Whom it is for; `nil` for everybody.
    ///   - tokenAccounts: Those whose own profiles bring a registration token.
    /// - Returns: `nil` when the payload configures no Platform SSO.
    package init?(
        _ configuration: SSOConfiguration, revision: String, extensionRevision: String,
        hasKeyService: Bool, accounts: Set<String>? = nil, tokenAccounts: Set<String> = []
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
            accounts: accounts, tokenAccounts: tokenAccounts,
            revision: revision + "/" + extensionRevision)
    }
}
