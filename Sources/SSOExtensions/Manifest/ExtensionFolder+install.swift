// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Platform
package import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ExtensionFolder {
    /// Copies an extension to its place in one step: whoever looks sees the old one or the new one.
    ///
    /// - Parameters:
    ///   - manifest: as it was signed.
    ///   - replaces: whether one of that name may give way. One of another team never does.
    /// - Throws: what ``verify(_:team:)`` throws of the copy; `alreadyInstalled`, `teamMismatch`,
    ///   `system`.
    package func install(
        manifest signed: [UInt8], executable: ExtensionFile, replaces: Bool,
        random: some RandomSource, on disk: any Disk = SystemDisk()
    ) throws(ExtensionTrustRefusal) -> ExtensionManifest {
        let manifest = try SignedManifest.verify(signed)
        _ = try VerifiedExtension(manifest, executable)
        let place = path(of: manifest.identifier)
        try makeFolders(on: disk)
        if access(place, F_OK) == 0 {
            guard replaces else {
                throw ExtensionTrustRefusal(
                    .alreadyInstalled, "\(manifest.identifier) is installed; --replace it.")
            }
            try checkTeam(of: manifest, at: place)
        }
        // A name that no extension has: a leading dot hides it, and it is never verified.
        let draft = "\(path)/.\(Base64URL.encode(random.bytes(9)))"
        do throws(ExtensionTrustRefusal) {
            try durably { () throws(DiskError) in try disk.makeFolder(draft, mode: 0o755) }
            try write(signed, to: "\(draft)/\(Self.manifestName)", mode: 0o644, disk)
            try copy(executable, to: "\(draft)/\(Self.executableName)", disk)
            // What was copied is what was verified, or it does not get its name.
            let copied = try ExtensionFile("\(draft)/\(Self.executableName)", owner: owner)
            _ = try VerifiedExtension(manifest, copied)
            try durably { () throws(DiskError) in
                try DurableFile.exchange(draft, with: place, on: disk)
            }
        } catch {
            Self.remove(draft)
            throw error
        }
        // The one before, if there was one.
        Self.remove(draft)
        return try verify(manifest.identifier, team: manifest.team).manifest
    }

    /// Takes an extension away. Whether there was one.
    package func uninstall(
        _ identifier: String, on disk: any Disk = SystemDisk()
    ) throws(ExtensionTrustRefusal) -> Bool {
        guard Self.isName(identifier), access(path(of: identifier), F_OK) == 0 else {
            return false
        }
        let grave = "\(path)/.\(identifier).removed"
        Self.remove(grave)
        try durably { () throws(DiskError) in
            try DurableFile.publish(path(of: identifier), as: grave, on: disk)
        }
        Self.remove(grave)
        return true
    }

    /// An update must be signed by those who signed what is there; a damaged one may be mended.
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
            try durably { [made] () throws(DiskError) in
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
        try durably { () throws(DiskError) in
            _ = try DurableFile.create(path, content, mode: mode, on: disk)
        }
    }

    private func durably(_ work: () throws(DiskError) -> Void) throws(ExtensionTrustRefusal) {
        do throws(DiskError) {
            try work()
        } catch {
            let reason = String(cString: strerror(error.code))
            throw ExtensionTrustRefusal(.system, "\(error.call) \(error.path): \(reason).")
        }
    }

    /// A folder with ordinary files in it; nothing deeper is made here.
    private static func remove(_ folder: String) {
        for name in [manifestName, executableName] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}
