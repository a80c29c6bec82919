// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Platform
package import Primitives

extension ExtensionFolder {
    /// Copies an extension to its place atomically: a reader sees the old one or the new one.
    ///
    /// - Parameters:
    ///   - manifest: The signed manifest.
    ///   - replaces: Whether an extension of the same name may be replaced. One of another team
    ///     never is.
    /// - Throws: The errors of ``verify(_:team:)`` for the copy; `alreadyInstalled`,
    ///   `teamMismatch`, `system`.
    package func install(
        manifest signed: [UInt8], executable: ExtensionFile, replaces: Bool,
        random: some RandomSource, on disk: any Disk = SystemDisk()
    ) throws(ExtensionTrustRefusal) -> ExtensionManifest {
        let manifest = try SignedManifest.verify(signed)
        _ = try VerifiedExtension(manifest, executable)
        let place = path(of: manifest.identifier)
        try makeFolders(on: disk)
        if FileSystem.exists(place) {
            guard replaces else {
                throw ExtensionTrustRefusal(
                    .alreadyInstalled, "\(manifest.identifier) is installed; --replace it.")
            }
            try checkTeam(of: manifest, at: place)
        }
        // A name that extensions cannot have: it begins with a dot and is never verified.
        let draft = "\(path)/.\(Base64URL.encode(random.bytes(9)))"
        do throws(ExtensionTrustRefusal) {
            try durably { () throws(PlatformError) in try disk.makeFolder(draft, mode: 0o755) }
            try write(signed, to: "\(draft)/\(Self.manifestName)", mode: 0o644, disk)
            try copy(executable, to: "\(draft)/\(Self.executableName)", disk)
            // The copy is verified before it is renamed.
            let copied = try ExtensionFile("\(draft)/\(Self.executableName)", owner: owner)
            _ = try VerifiedExtension(manifest, copied)
            try durably { () throws(PlatformError) in
                try DurableFile.exchange(draft, with: place, on: disk)
            }
        } catch {
            Self.remove(draft)
            throw error
        }
        // Removes the previous one.
        Self.remove(draft)
        return try verify(manifest.identifier, team: manifest.team).manifest
    }

    /// Removes an extension. Whether there was one.
    package func uninstall(
        _ identifier: String, on disk: any Disk = SystemDisk()
    ) throws(ExtensionTrustRefusal) -> Bool {
        guard Self.isName(identifier), FileSystem.exists(path(of: identifier)) else {
            return false
        }
        let grave = "\(path)/.\(identifier).removed"
        Self.remove(grave)
        try durably { () throws(PlatformError) in
            try DurableFile.publish(path(of: identifier), as: grave, on: disk)
        }
        Self.remove(grave)
        return true
    }

    /// An update must be signed by the team of the installed one; a damaged one may be replaced.
    private func checkTeam(
        of manifest: ExtensionManifest, at place: String
    ) throws(ExtensionTrustRefusal) {
        guard let file = try? ExtensionFile("\(place)/\(Self.manifestName)", owner: nil),
            let content = try? file.content(maximum: SignedManifest.maximumBytes),
            let old = try? SignedManifest.verify(content)
        else { return }
        guard old.team.hasSameBytes(as: manifest.team) else {
            throw ExtensionTrustRefusal(
                .teamMismatch,
                "\(manifest.identifier) is there from \(old.team); uninstall that one first.")
        }
    }

    private func makeFolders(on disk: any Disk) throws(ExtensionTrustRefusal) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/\(part)"
            try durably { [made] () throws(PlatformError) in
                try DurableFile.makeFolder(made, mode: 0o755, on: disk)
            }
        }
    }

    private func copy(
        _ file: ExtensionFile, to path: String, _ disk: any Disk
    ) throws(ExtensionTrustRefusal) {
        let content = try file.content(maximum: ExtensionFile.maximumBytes)
        try write(content, to: path, mode: 0o755, disk)
    }

    private func write(
        _ content: [UInt8], to path: String, mode: UInt32, _ disk: any Disk
    ) throws(ExtensionTrustRefusal) {
        try durably { () throws(PlatformError) in
            _ = try DurableFile.create(path, content, mode: mode, on: disk)
        }
    }

    private func durably(_ work: () throws(PlatformError) -> Void) throws(ExtensionTrustRefusal) {
        do throws(PlatformError) {
            try work()
        } catch {
            throw ExtensionTrustRefusal(.system, "\(error).")
        }
    }

    /// Removes a directory that has only these files.
    private static func remove(_ folder: String) {
        for name in [manifestName, executableName] { try? FileSystem.remove("\(folder)/\(name)") }
        try? Directory.remove(folder)
    }
}
