// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives
package import ProviderCore
package import Storage

/// A cache of the discovery documents and keys of upstream providers.
///
/// Concurrent requests share one fetch. A failed fetch is not cached.
package actor UpstreamMetadataCache {
    /// The time after which documents and keys are fetched again.
    static let freshness = TimeSpan.minutes(10)
    /// Minimum time between two fetches of keys because of an unknown key ID. It limits the
    /// requests that invented key IDs can cause.
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

    /// Returns the endpoints of the provider.
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
            return .failure(.wrong("the issuer is not a URL"))
        }
        let read = await document(at: address, now: now, maximumAge: Self.freshness).flatMap {
            bytes in
            Self.read { () throws(UpstreamMetadata.ParseError) in
                try UpstreamMetadata(document: bytes, of: settings.issuer).overruled(by: settings)
            }
        }
        // An invalid document may be corrected at any time, so it is not cached.
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

    /// Returns the keys at this URL.
    ///
    /// - Parameter isRetry: whether a key was not among the cached ones.
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
            maximumResponseLength: UpstreamMetadata.maximumDocumentLength)
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

/// An error of an upstream provider.
package enum UpstreamError: Error, Sendable, Equatable {
    /// The provider is unreachable or has an internal error. A later attempt may succeed.
    case away(String)
    /// The response of the provider is invalid.
    case wrong(String)
}

extension Provider {
    package var upstreamDirectory: UpstreamMetadataCache {
        component { UpstreamMetadataCache(http: http) }
    }
}
