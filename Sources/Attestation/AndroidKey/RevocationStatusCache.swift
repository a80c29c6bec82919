// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A cache of Google's list of revoked certificates with periodic updates.
///
/// The cached list remains while the service is unavailable. ``AndroidKeyPolicy/Revocation``
/// determines its accepted age.
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
    ///   - interval: The age of the list at which it is fetched again.
    ///   - retry: The delay of the next attempt after an error.
    ///   - kept: A list that an earlier process saved.
    ///   - report: Called with each fetched list.
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

    /// Returns the newest list, after an update if one is due; `nil` until one was fetched.
    /// Concurrent callers share an attempt.
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
