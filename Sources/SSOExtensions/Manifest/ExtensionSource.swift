// SPDX-License-Identifier: Apache-2.0
/// Where the executable of an extension comes from, looked at anew each time that it is started.
package protocol ExtensionSource: Sendable {
    var identifier: String { get }
    func open() throws(ExtensionRefusal) -> ExtensionProgram
}

/// What is started.
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

/// An extension that was installed, of the team that the profile names.
package struct InstalledExtension: ExtensionSource {
    package let identifier: String
    private let team: String?
    private let folder: ExtensionFolder

    package init(_ identifier: String, team: String?, in folder: ExtensionFolder) {
        self.identifier = identifier
        self.team = team
        self.folder = folder
    }

    package func open() throws(ExtensionRefusal) -> ExtensionProgram {
        let verified = try folder.verify(identifier, team: team)
        return ExtensionProgram(
            executable: verified.executable, capabilities: verified.manifest.capabilities)
    }
}

/// Ours: the program that runs the agent is the extension too, in a process of its own. It needs no
/// signature, for whoever could replace it could replace the agent.
package struct BuiltInExtension: ExtensionSource {
    package static let identifier = "dev.gatehouse.sso"
    package static let team = "gatehouse"

    package var identifier: String { Self.identifier }
    private let executable: String
    private let arguments: [String]

    package init(
        executable: String = "/proc/self/exe", arguments: [String] = ["extension", "run-built-in"]
    ) {
        self.executable = executable
        self.arguments = arguments
    }

    package func open() throws(ExtensionRefusal) -> ExtensionProgram {
        // The name under /proc is a link; what it leads to must not be.
        let path = FilePermissions.resolved(executable) ?? executable
        return ExtensionProgram(
            executable: try ExtensionFile(path, owner: nil), arguments: arguments,
            capabilities: [.platformSSO])
    }
}
