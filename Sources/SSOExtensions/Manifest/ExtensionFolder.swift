// SPDX-License-Identifier: Apache-2.0
import JOSE

/// Where extensions are installed: a folder for each, named for its identifier, that only root may
/// change.
///
///     /usr/local/lib/gatehouse/extensions/com.example.sso/manifest
///     /usr/local/lib/gatehouse/extensions/com.example.sso/extension
package struct ExtensionFolder: Sendable, Equatable {
    package static let standardPath = "/usr/local/lib/gatehouse/extensions"
    package static let manifestName = "manifest"
    package static let executableName = "extension"

    package let path: String
    /// Who must own everything in it, and may own what stands above; 0 but in tests.
    package let owner: UInt32

    package init(path: String = standardPath, owner: UInt32 = 0) {
        self.path = path
        self.owner = owner
    }

    /// The identifiers for which there is a folder, sorted.
    package var identifiers: [String] { (FolderNames.of(path) ?? []).sorted() }

    func path(of identifier: String) -> String { "\(path)/\(identifier)" }

    /// Looks at everything: owner, mode, signature, name and digest.
    ///
    /// - Parameter team: the one that the profile names; `nil` to accept any.
    /// - Throws: the first fault that is found.
    package func verify(
        _ identifier: String, team: String?
    ) throws(ExtensionTrustRefusal) -> VerifiedExtension {
        let (manifest, folder) = try look(identifier, team: team)
        let executable = try ExtensionFile("\(folder)/\(Self.executableName)", owner: owner)
        return try VerifiedExtension(manifest, executable)
    }

    /// The same but for the executable, which need not be read to know whose it is.
    package func manifest(
        of identifier: String, team: String?
    ) throws(ExtensionTrustRefusal) -> ExtensionManifest {
        try look(identifier, team: team).manifest
    }

    private func look(
        _ identifier: String, team: String?
    ) throws(ExtensionTrustRefusal) -> (manifest: ExtensionManifest, folder: String) {
        guard ExtensionFolder.isName(identifier),
            let folder = FileTrustCheck.resolved(path(of: identifier))
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

    /// A name that leads nowhere else.
    static func isName(_ identifier: String) -> Bool {
        !identifier.isEmpty && !identifier.hasPrefix(".") && !identifier.contains("/")
    }
}
