// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A version of a state file that a process has applied.
package struct AppliedStateFile: Sendable, Equatable {
    /// As in the configuration of the process.
    package var path: String
    /// The host of the process.
    package var host: String
    /// A keyed hash of the content.
    package var digest: [UInt8]
    package var appliedAt: Timestamp

    package init(path: String, host: String, digest: [UInt8], appliedAt: Timestamp) {
        self.path = path
        self.host = host
        self.digest = digest
        self.appliedAt = appliedAt
    }
}

/// A store of the versions of state files that processes have applied.
package protocol StateFileStore: Sendable {
    /// Returns up to 100 versions, the one that was applied last first.
    func appliedVersions(of path: String) async throws -> [AppliedStateFile]
    /// Records the version as the last one of its path. Of older ones, 100 remain.
    func record(_ version: AppliedStateFile) async throws
}
