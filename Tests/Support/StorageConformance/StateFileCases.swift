// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let stateFiles: [ConformanceCase] = [
        ConformanceCase("versions of a state file are in the order in which they were applied") {
            f in
            func version(
                _ digest: UInt8, by host: String = "a", at time: Timestamp
            ) -> AppliedStateFile {
                AppliedStateFile(
                    path: "\(f.project.id)", host: host, digest: [digest], appliedAt: time)
            }
            func found() async throws -> [AppliedStateFile] {
                try await f.store.stateFiles.appliedVersions(of: "\(f.project.id)")
            }
            try expectEqual(await found(), [])
            // Clocks of processes differ.
            let (one, two) = (version(1, at: f.now), version(2, at: f.now - .hours(1)))
            for version in [one, two] { try await f.store.stateFiles.record(version) }
            try expectEqual(await found(), [two, one])
            let again = version(1, at: f.now + .hours(1))
            try await f.store.stateFiles.record(again)
            try expectEqual(await found(), [again, two])
            let byAnother = version(1, by: "b", at: f.now)
            try await f.store.stateFiles.record(byAnother)
            try expectEqual(await found(), [byAnother, again, two])
            var other = again
            other.path = "other \(f.project.id)"
            try await f.store.stateFiles.record(other)
            try expectEqual(await found(), [byAnother, again, two])
        },
        ConformanceCase("of the versions of a state file the last hundred remain") { f in
            for number in 0..<103 {
                try await f.store.stateFiles.record(
                    AppliedStateFile(
                        path: "\(f.project.id)", host: "a", digest: [UInt8(number)],
                        appliedAt: f.now))
            }
            let found = try await f.store.stateFiles.appliedVersions(of: "\(f.project.id)")
            try expectEqual(found.map { Int($0.digest[0]) }, (3..<103).reversed())
        },
    ]
}
