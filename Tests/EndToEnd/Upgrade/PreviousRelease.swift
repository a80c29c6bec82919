// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The program of the release before this version.
enum PreviousRelease {
    static let hint = "needs the program of the previous release: make test-upgrade"

    /// The program that `PREVIOUS_GATEHOUSE` names, or that `Scripts/previous-release` has built.
    static var program: URL? {
        if let named = ProcessInfo.processInfo.environment["PREVIOUS_GATEHOUSE"], !named.isEmpty {
            return URL(filePath: named)
        }
        let built = Repository.root.appending(path: ".build-previous/program/gatehouse")
        return FileManager.default.isExecutableFile(atPath: built.path()) ? built : nil
    }
}
