// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Foundation
import Platform

/// Where this program is, and the programs that are installed with it.
enum ProgramLocation {
    /// This program, with all links followed: the others lie alongside the program, not alongside a link to it.
    static func current() throws(CommandError) -> URL {
        #if os(Linux)
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let url = path.map { URL(filePath: $0) }
        #else
            let url = Bundle.main.executableURL?.resolvingSymlinksInPath()
        #endif
        guard let url else { throw CommandError("cannot determine the path of this executable") }
        return url
    }

    /// Where a program lies alongside this one, whether it exists or not.
    static func alongside(_ name: String) throws(CommandError) -> URL {
        try current().deletingLastPathComponent().appending(path: name)
    }

    static func isExecutable(_ program: URL) -> Bool {
        FileSystem.isExecutable(program.path(percentEncoded: false))
    }
}
