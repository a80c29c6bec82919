// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
package import Storage

/// What upstream providers publish, kept for a while: discovery documents and keys.
///
/// Many who sign in at once ask once; a failure is not kept, and is as good as no answer.
package actor UpstreamMetadataCache {
    /// How long documents and keys are used before they are fetched again.
    static let freshness = TimeSpan.minutes(10)
    /// Keys are fetched again for a key that is not among them, this long after the last time at
    /// the earliest: nobody makes us ask for ever by inventing key ids.
    static let patience = TimeSpan.seconds(10)
    private static let capacity = 1000

    private struct Kept<Value: Sendable>: Sendable {
        let value: Value
        let at: Timestamp
    }

    private let http: any OutgoingHTTP
    private var documents: [OutgoingURL: Kept<[UInt8]>] = [:]
    private var underWay: [OutgoingURL: Task<Result<[UInt8], UpstreamError>, Never>] = [:]

    package init(http: any OutgoingHTTP) { self.http = http }

    /// Where the provider does what.
    package func metadata(
        of provider: UpstreamProvider, now: Timestamp
    ) async -> Result<UpstreamMetadata, UpstreamError> {
        let settings = provider.settings
        guard provider.kind == .oidc, !settings.isComplete else {
            return Self.read { () throws(UpstreamMetadata.ParseError) in
                try UpstreamMetadata(configured: settings)
            }
        }
        guard let address = UpstreamMetadata.address(of: settings.issuer) else {
            return .failure(.wrong("the issuer is no address"))
        }
        let read = await document(at: address, now: now, maximumAge: Self.freshness).flatMap {
            bytes in
            Self.read { () throws(UpstreamMetadata.ParseError) in
                try UpstreamMetadata(document: bytes, of: settings.issuer).overruled(by: settings)
            }
        }
        // What is wrong may be put right in the next moment.
        if case .failure(.wrong) = read { documents[address] = nil }
        return read
    }

    private static func read(
        _ body: () throws(UpstreamMetadata.ParseError) -> UpstreamMetadata
    ) -> Result<UpstreamMetadata, UpstreamError> {
        do throws(UpstreamMetadata.ParseError) {
            return .success(try body())
        } catch {
            return .failure(.wrong(error.reason))
        }
    }

    /// The keys at that address.
    ///
    /// - Parameter isRetry: asked again because a key was not among those that were kept.
    package func keys(
        at address: OutgoingURL, isRetry: Bool, now: Timestamp
    ) async -> Result<JWKSet, UpstreamError> {
        let age = isRetry ? Self.patience : Self.freshness
        switch await document(at: address, now: now, maximumAge: age) {
        case .failure(let failure): return .failure(failure)
        case .success(let bytes):
            do throws(JOSEError) {
                return .success(try JWKSet(bytes: bytes))
            } catch {
                documents[address] = nil
                return .failure(.wrong("its keys cannot be read: \(error)"))
            }
        }
    }

    private func document(
        at address: OutgoingURL, now: Timestamp, maximumAge: TimeSpan
    ) async -> Result<[UInt8], UpstreamError> {
        if let kept = documents[address], now - kept.at < maximumAge, now >= kept.at {
            return .success(kept.value)
        }
        let task = underWay[address] ?? Task { await fetch(address, now: now) }
        underWay[address] = task
        return await task.value
    }

    private func fetch(
        _ address: OutgoingURL, now: Timestamp
    ) async -> Result<[UInt8], UpstreamError> {
        defer { underWay[address] = nil }
        let request = OutgoingRequest(
            "GET", address, headers: [("accept", "application/json")],
            longestAnswer: UpstreamMetadata.longestDocument)
        do throws(OutgoingHTTPError) {
            let answer = try await http.send(request)
            guard answer.status == 200 else {
                return .failure(.away("\(address.text) answered \(answer.status)"))
            }
            if documents.count >= Self.capacity { documents.removeAll() }
            documents[address] = Kept(value: answer.body, at: now)
            return .success(answer.body)
        } catch {
            return .failure(.away("\(address.text): \(error)"))
        }
    }
}

/// Why an upstream provider is of no help.
package enum UpstreamError: Error, Sendable, Equatable {
    /// It cannot be asked, or has trouble of its own: later it may help.
    case away(String)
    /// What it says cannot be believed, or is not what was agreed.
    case wrong(String)
}

extension Provider {
    /// The upstream providers of a project, in order of name. At most a second old.
    package func upstreamProviders(of tenant: Tenant) async throws -> [UpstreamProvider] {
        try await upstream.value(for: tenant.project.id, now: clock.now) {
            try await store.upstreamProviders(of: tenant.project.id)
        } ?? []
    }
}
