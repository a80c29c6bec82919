// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives

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

    /// Whether only the owner can reach the contents of the directory.
    private static func isClosed(_ path: String) -> Bool {
        (try? FileStatus(path)).map { $0.permissions & 0o011 == 0 } ?? false
    }

    /// Returns the content of a file that root, or the user of the agent, has written. Other files
    /// are refused, because a profile decides which provider the device trusts.
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
