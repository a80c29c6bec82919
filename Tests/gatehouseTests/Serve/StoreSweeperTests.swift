// SPDX-License-Identifier: Apache-2.0
import Primitives
import Testing

@testable import gatehouse

@Suite struct StoreSweeperTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    @Test(
        "The sweeper sleeps until the next row is due, between one minute and ten",
        arguments: [
            (nil, 600), (-5, 60), (0, 60), (59, 60), (61, 61), (300, 300), (601, 600),
            (Int64.max / 4_000, 600),
        ] as [(Int64?, Int64)])
    func pause(due: Int64?, expected: Int64) {
        let next = due.map { now + .seconds($0) }
        #expect(StoreSweeper.pause(until: next, now: now) == .seconds(expected))
    }
}
