// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Who could change a file: its owner, those who may write to it, and those who could put another in
/// its place in one of the folders above.
package enum FileTrustCheck {
    /// Judges a program and all folders above it: nobody but its owner and root may change what runs.
    ///
    /// - Parameter path: absolute, with all links resolved.
    /// - Throws: `notInstalled`, `notAFile`, `ownerWrong`, `modeTooOpen`.
    package static func check(program path: String, owner: UInt32) throws(ExtensionTrustRefusal) {
        var facts = stat()
        guard path.hasPrefix("/"), lstat(path, &facts) == 0 else {
            throw ExtensionTrustRefusal(.notInstalled, "\(path) is not there.")
        }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw ExtensionTrustRefusal(.notAFile, "\(path) is not a file.")
        }
        try check(facts, path, owner: owner)
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        try check(folder: folder.isEmpty ? "/" : folder, owner: owner)
    }

    /// - Throws: `ownerWrong`, `modeTooOpen`.
    static func check(
        _ facts: stat, _ path: String, owner: UInt32, isFolderAbove: Bool = false
    ) throws(ExtensionTrustRefusal) {
        // Root may own what stands above: it can do everything anyway.
        guard facts.st_uid == owner || facts.st_uid == 0 else {
            throw ExtensionTrustRefusal(
                .ownerWrong, "\(path) belongs to user \(facts.st_uid), not \(owner).")
        }
        // In a sticky folder nobody replaces what is another's.
        let isSticky = isFolderAbove && facts.st_mode & S_ISVTX != 0
        guard facts.st_mode & (S_IWGRP | S_IWOTH) == 0 || isSticky else {
            throw ExtensionTrustRefusal(
                .modeTooOpen, "Others than its owner may write to \(path); chmod go-w \(path).")
        }
    }

    /// Judges the folder and all above it.
    ///
    /// - Parameter path: absolute, with all links resolved.
    /// - Throws: `notInstalled`, `notAFile`, `ownerWrong`, `modeTooOpen`.
    static func check(folder path: String, owner: UInt32) throws(ExtensionTrustRefusal) {
        var above = path
        while true {
            var facts = stat()
            guard lstat(above, &facts) == 0 else {
                throw ExtensionTrustRefusal(.notInstalled, "\(above) is not there.")
            }
            guard facts.st_mode & S_IFMT == S_IFDIR else {
                throw ExtensionTrustRefusal(.notAFile, "\(above) is not a folder.")
            }
            try check(facts, above, owner: owner, isFolderAbove: above != path)
            guard above != "/", let slash = above.lastIndex(of: "/") else { return }
            above = slash == above.startIndex ? "/" : String(above[..<slash])
        }
    }

    /// The path with all links resolved; `nil` when it is not there.
    static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
