// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Keeps Google's list of revoked certificates, and fetches it anew now and then.
///
/// What it has stays when the service is away. How old that may become is decided where it is
/// used: ``AndroidKeyPolicy/Revocation``.
package actor RevocationStatusCache {
    private let client: any AttestationHTTPClient
    private let clock: any WallClock
    private let address: String
    private let interval: TimeSpan
    private let retry: TimeSpan
    private let report: @Sendable (RevocationStatusList) -> Void
    private var list: RevocationStatusList?
    private var nextAttempt: Timestamp?
    private var attempt: Task<Void, Never>?

    /// - Parameters:
    ///   - interval: How old the list becomes before it is fetched anew.
    ///   - retry: How long a failure holds off the next attempt.
    ///   - kept: A list that outlived the process.
    ///   - report: Is called with each list that is fetched.
    package init(
        client: any AttestationHTTPClient, clock: any WallClock,
        address: String = RevocationStatusList.address, interval: TimeSpan = .hours(6),
        retry: TimeSpan = .minutes(5), kept: RevocationStatusList? = nil,
        report: @escaping @Sendable (RevocationStatusList) -> Void = { _ in }
    ) {
        self.client = client
        self.clock = clock
        self.address = address
        self.interval = interval
        self.retry = retry
        self.report = report
        list = kept
        nextAttempt = kept.map { $0.fetched + interval }
    }

    /// The newest list there is, fetched first when it is time; `nil` until one was fetched.
    /// Callers that come meanwhile wait for the same attempt.
    package func current() async -> RevocationStatusList? {
        if let attempt {
            await attempt.value
        } else if nextAttempt.map({ $0 <= clock.now }) ?? true {
            let attempt = Task { await fetch() }
            self.attempt = attempt
            await attempt.value
            self.attempt = nil
        }
        return list
    }

    private func fetch() async {
        let now = clock.now
        let request = AttestationHTTPRequest(method: "GET", url: address)
        guard let response = try? await client.send(request), response.status == 200,
            let fetched = try? RevocationStatusList(json: response.body, fetched: now)
        else {
            nextAttempt = now + retry
            return
        }
        list = fetched
        report(fetched)
        nextAttempt = now + interval
    }
}
