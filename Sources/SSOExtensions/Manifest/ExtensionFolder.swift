// SPDX-License-Identifier: Apache-2.0
import JOSE
import Platform

/// The installation directory of extensions: a subdirectory for each, named for its identifier,
/// that only root may change.
///
///     /usr/local/lib/gatehouse/extensions/com.example.sso/manifest
///     /usr/local/lib/gatehouse/extensions/com.example.sso/extension
package struct ExtensionFolder: Sendable, Equatable {
    package static let standardPath = "/usr/local/lib/gatehouse/extensions"
    package static let manifestName = "manifest"
    package static let executableName = "extension"

    package let path: String
    /// The required owner of the content, who may also own the parent directories; 0 except in
    /// tests.
    package let owner: UInt32

    package init(path: String = standardPath, owner: UInt32 = 0) {
        self.path = path
        self.owner = owner
    }

    /// The identifiers for which there is a folder, sorted.
    package var identifiers: [String] {
        ((try? Directory.names(in: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    func path(of identifier: String) -> String { "\(path)/\(identifier)" }

    /// Verifies owner, mode, signature, name and digest of an extension.
    ///
    /// - Parameter team: The team of the profile; `nil` to accept any.
    /// - Throws: The first refusal.
    package func verify(
        _ identifier: String, team: String?
    ) throws(ExtensionTrustRefusal) -> VerifiedExtension {
        let (manifest, folder) = try look(identifier, team: team)
        let executable = try ExtensionFile("\(folder)/\(Self.executableName)", owner: owner)
        return try VerifiedExtension(manifest, executable)
    }

    /// Verifies the same except the executable, which is not required to identify the team.
    package func manifest(
        of identifier: String, team: String?
    ) throws(ExtensionTrustRefusal) -> ExtensionManifest {
        try look(identifier, team: team).manifest
    }

    private func look(
        _ identifier: String, team: String?
    ) throws(ExtensionTrustRefusal) -> (manifest: ExtensionManifest, folder: String) {
        guard ExtensionFolder.isName(identifier),
            let folder = FileSystem.resolved(path(of: identifier))
        else {
            throw ExtensionTrustRefusal(.notInstalled, "\(identifier) is not installed in \(path).")
        }
        try FileTrustCheck.check(folder: folder, owner: owner)
        let file = try ExtensionFile("\(folder)/\(Self.manifestName)", owner: owner)
        let manifest = try SignedManifest.verify(
            try file.content(maximum: SignedManifest.maximumBytes))
        guard manifest.identifier.hasSameBytes(as: identifier) else {
            throw ExtensionTrustRefusal(
                .identifierMismatch,
                "The manifest in \(identifier) is that of \(manifest.identifier).")
        }
        if let team, !manifest.team.hasSameBytes(as: team) {
            throw ExtensionTrustRefusal(
                .teamMismatch, "\(identifier) is signed by \(manifest.team), not by \(team).")
        }
        return (manifest, folder)
    }

    /// Whether a name is a single path component.
    static func isName(_ identifier: String) -> Bool {
        !identifier.isEmpty && !identifier.hasPrefix(".") && !identifier.contains("/")
    }
}
