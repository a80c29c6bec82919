// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

extension ChildProcess {
    /// How often any of its threads has waited and was woken (proc(5), `voluntary_ctxt_switches`).
    var wakeUps: Int {
        get throws {
            let folder = "/proc/\(pid)/task"
            return try FileManager.default.contentsOfDirectory(atPath: folder).map { thread in
                let path = "\(folder)/\(thread)/status"
                // A thread may end between the two looks.
                let lines = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                let line = lines.split(separator: "\n")
                    .first { $0.hasPrefix("voluntary_ctxt_switches:") }
                return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
            }.reduce(0, +)
        }
    }

    /// Returns the number of wake-ups during an operation, and its duration. Both are measured at
    /// its ends, so that the test does not depend on the clock.
    func wakeUps(
        during something: () async throws -> Void
    ) async throws -> (count: Int, time: Duration) {
        let (before, start) = (try wakeUps, ContinuousClock.now)
        try await something()
        return (try wakeUps - before, ContinuousClock.now - start)
    }
}
