// SPDX-License-Identifier: Apache-2.0
/// The source of an extension's executable, which is verified at each start.
package protocol ExtensionProgramSource: Sendable {
    var identifier: String { get }
    func open() throws(ExtensionTrustRefusal) -> ExtensionProgram
}

/// The program to start.
package struct ExtensionProgram: Sendable {
    package var executable: ExtensionFile
    package var arguments: [String]
    package var capabilities: Set<ExtensionManifest.Capability>

    package init(
        executable: ExtensionFile, arguments: [String] = [],
        capabilities: Set<ExtensionManifest.Capability>
    ) {
        self.executable = executable
        self.arguments = arguments
        self.capabilities = capabilities
    }
}

/// An installed extension of the profile's team.
package struct InstalledProgram: ExtensionProgramSource {
    package let identifier: String
    private let team: String?
    private let folder: ExtensionFolder

    package init(_ identifier: String, team: String?, in folder: ExtensionFolder) {
        self.identifier = identifier
        self.team = team
        self.folder = folder
    }

    package func open() throws(ExtensionTrustRefusal) -> ExtensionProgram {
        let verified = try folder.verify(identifier, team: team)
        return ExtensionProgram(
            executable: verified.executable, capabilities: verified.manifest.capabilities)
    }
}
