// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation

/// The client as a process, from where the tests were built.
enum ClientProgram {
    struct NotBuilt: Error {}

    static func path() throws -> String {
        let own = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let places = [own, own.deletingLastPathComponent(), own.appending(path: "../../..")]
        for place in places {
            let path = place.appending(path: "security-key-check").path()
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw NotBuilt()
    }
}
