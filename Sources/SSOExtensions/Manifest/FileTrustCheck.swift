// SPDX-License-Identifier: Apache-2.0
import Platform

/// The users who could change a file: its owner, users who may write to it, and users who could
/// replace it or one of the directories above.
package enum FileTrustCheck {
    /// Checks a program and all directories above it: only its owner and root may change what runs.
    ///
    /// - Parameter path: Absolute, with all links resolved.
    /// - Throws: `notInstalled`, `notAFile`, `ownerWrong`, `modeTooOpen`.
    package static func check(program path: String, owner: UInt32) throws(ExtensionTrustRefusal) {
        guard path.hasPrefix("/"), let status = try? FileStatus(path, followsLinks: false) else {
            throw ExtensionTrustRefusal(.notInstalled, "\(path) is not there.")
        }
        guard status.kind == .file else {
            throw ExtensionTrustRefusal(.notAFile, "\(path) is not a file.")
        }
        try check(status, path, owner: owner)
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        try check(folder: folder.isEmpty ? "/" : folder, owner: owner)
    }

    /// - Throws: `ownerWrong`, `modeTooOpen`.
    static func check(
        _ status: FileStatus, _ path: String, owner: UInt32, isFolderAbove: Bool = false
    ) throws(ExtensionTrustRefusal) {
        // Root may own a directory above: it can change everything.
        guard status.owner == owner || status.owner == 0 else {
            throw ExtensionTrustRefusal(
                .ownerWrong, "\(path) belongs to user \(status.owner), not \(owner).")
        }
        // In a sticky directory users cannot replace the files of others.
        let isSticky = isFolderAbove && status.isSticky
        guard !status.isWritableByOthers || isSticky else {
            throw ExtensionTrustRefusal(
                .modeTooOpen, "Others than its owner may write to \(path); chmod go-w \(path).")
        }
    }

    /// Checks the directory and all above it.
    ///
    /// - Parameter path: Absolute, with all links resolved.
    /// - Throws: `notInstalled`, `notAFile`, `ownerWrong`, `modeTooOpen`.
    static func check(folder path: String, owner: UInt32) throws(ExtensionTrustRefusal) {
        var above = path
        while true {
            guard let status = try? FileStatus(above, followsLinks: false) else {
                throw ExtensionTrustRefusal(.notInstalled, "\(above) is not there.")
            }
            guard status.kind == .directory else {
                throw ExtensionTrustRefusal(.notAFile, "\(above) is not a folder.")
            }
            try check(status, above, owner: owner, isFolderAbove: above != path)
            guard above != "/", let slash = above.lastIndex(of: "/") else { return }
            above = slash == above.startIndex ? "/" : String(above[..<slash])
        }
    }
}
