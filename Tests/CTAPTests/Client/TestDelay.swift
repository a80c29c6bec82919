// SPDX-License-Identifier: Apache-2.0
import CTAP

/// A delay under control of a test: short waits end at once, long ones never, unless all waits end.
struct TestDelay: Delay {
    var allAreOver = false

    func wait(_ duration: Duration) async {
        if allAreOver || duration < .seconds(15) { return }
        // Ends with the task only.
        for await _ in AsyncStream<Never>(unfolding: { await Self.untilCancelled() }) {}
    }

    private static func untilCancelled() async -> Never? {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        return nil
    }
}
