// SPDX-License-Identifier: Apache-2.0
import Support

/// The clients of a load on processes behind a balancer.
enum ClusterLoad {
    /// A client works with each session until `body` returns.
    ///
    /// - Parameter sessions: the cookies of each.
    /// - Returns: what the clients received, and the result of `body`.
    static func run<Value>(
        _ sessions: [[String: String]], at port: Int, _ watch: Watch,
        while body: () async throws -> Value
    ) async throws -> (Ledger, Value) {
        try await withThrowingTaskGroup(of: Ledger.self) { group in
            for (number, cookies) in sessions.enumerated() {
                group.addTask {
                    try await blocking {
                        let agent = FormAgent(port: port, cookies: cookies)
                        var client = ClusterClient(agent: agent, seed: UInt64(number), watch: watch)
                        return client.work()
                    }
                }
            }
            defer { watch.end() }
            let value = try await body()
            watch.end()
            return (try await group.reduce(Ledger()) { $0 + $1 }, value)
        }
    }
}
