// SPDX-License-Identifier: Apache-2.0
package import Primitives
import SingleSignOn
import Synchronization
package import UserClient

/// A cache of domains' association files, read over TLS.
package final class AssociationFiles: Sendable {
    /// Fetches an address without following redirects, at most `limit` bytes.
    package typealias Fetch =
        @Sendable (_ address: String, _ limit: Int) async throws -> WebClient.Response

    private struct CachedFile {
        let file: SiteAssociation
        let expiresAt: Timestamp
    }

    private let fetch: Fetch
    private let clock: any WallClock
    private let cache = Mutex<[HostName: CachedFile]>([:])

    package init(clock: any WallClock, fetch: @escaping Fetch) {
        self.clock = clock
        self.fetch = fetch
    }

    /// The default lifetime of a file, and its maximum, in seconds.
    private static let usualAge: Int64 = 86_400
    private static let greatestAge: Int64 = 604_800

    /// The file of a domain. What cannot be had is not remembered, so a domain that is put right
    /// is right at once.
    func file(of host: HostName) async throws(ASAuthorizationError) -> SiteAssociation {
        let now = clock.now
        if let kept = cache.withLock({ $0[host] }), now < kept.expiresAt { return kept.file }
        let (file, age) = try await read(host)
        cache.withLock { all in
            all = all.filter { now < $0.value.expiresAt }
            if all.count < 64 { all[host] = CachedFile(file: file, expiresAt: now + .seconds(age)) }
        }
        return file
    }

    private func read(
        _ host: HostName
    ) async throws(ASAuthorizationError) -> (SiteAssociation, age: Int64) {
        let address = SiteAssociation.address(of: host)
        func failure(_ reason: String) -> ASAuthorizationError {
            ASAuthorizationError(.failed, "\(address) \(reason).")
        }
        let answer: WebClient.Response
        do { answer = try await fetch(address, SiteAssociation.greatestLength) } catch {
            if error is WebClient.TooLong { throw failure("is longer than 128 KiB") }
            throw failure("cannot be read: \(error)")
        }
        switch answer.status {
        case 200: break
        case 300..<400: throw failure("is a redirect, which is not followed")
        default: throw failure("responds with status \(answer.status)")
        }
        guard let file = try? SiteAssociation(answer.body, for: [.webcredentials]),
            file.lists(.webcredentials)
        else {
            throw failure("has no list of apps under webcredentials")
        }
        return (file, Self.age(answer.headers["cache-control"]))
    }

    /// `max-age`, within a week; 0 for `no-store`.
    private static func age(_ header: String?) -> Int64 {
        let parts = (header ?? "").lowercased().split(separator: ",").map { part in
            part.drop { $0 == " " }
        }
        if parts.contains("no-store") || parts.contains("no-cache") { return 0 }
        let age = parts.first { $0.hasPrefix("max-age=") }.flatMap { Int64($0.dropFirst(8)) }
        return min(max(age ?? usualAge, 0), greatestAge)
    }
}
