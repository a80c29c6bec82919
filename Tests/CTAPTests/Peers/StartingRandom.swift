// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Synchronization

/// Starts a program whenever bytes are drawn, which inherits every descriptor that it may. The
/// programs end with their owner.
final class StartingRandom: RandomSource {
    private let source: any RandomSource
    private let started = Mutex<[pid_t]>([])

    init(source: any RandomSource) { self.source = source }

    deinit {
        for pid in started.withLock({ $0 }) {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
    }

    /// Whether the last of them still runs.
    var isRunning: Bool {
        started.withLock { $0.last.map { waitpid($0, nil, WNOHANG) == 0 } ?? false }
    }

    func bytes(_ count: Int) -> [UInt8] {
        var pid: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("100"), nil]
        defer { for word in words { free(word) } }
        if posix_spawn(&pid, "/bin/sleep", nil, nil, &words, nil) == 0 {
            started.withLock { $0.append(pid) }
        }
        return source.bytes(count)
    }
}
