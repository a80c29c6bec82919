// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

/// An extension whose manifest matches the open executable.
package struct VerifiedExtension: Sendable {
    package let manifest: ExtensionManifest
    package let executable: ExtensionFile

    /// - Throws: `digestMismatch`, `protocolUnsupported`, `unreadable`, `tooLarge`.
    package init(
        _ manifest: ExtensionManifest, _ executable: ExtensionFile
    ) throws(ExtensionTrustRefusal) {
        guard manifest.protocols.contains(HostMessage.version) else {
            throw ExtensionTrustRefusal(
                .protocolUnsupported,
                "\(manifest.identifier) speaks versions \(manifest.protocols) of the messages, "
                    + "not \(HostMessage.version).")
        }
        let (digest, length) = try executable.digest()
        guard length == manifest.length, ConstantTime.equal(digest, manifest.digest) else {
            throw ExtensionTrustRefusal(
                .digestMismatch, "\(executable.path) is not the executable that was signed.")
        }
        self.manifest = manifest
        self.executable = executable
    }
}
