// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import OAuth
import Primitives
import ServiceLifecycle
import Synchronization
import UserClient
import WebAuthn

/// Where metadata of authenticators come from: a file, or the metadata service over TLS. What was
/// taken over is kept in the data directory, so that a restart during an outage knows as much.
struct MetadataSource: Sendable {
    private let settings: ServeConfiguration.Metadata
    private let kept: String
    private let log: Logger
    private let client: WebClient
    /// The `ETag` of the last answer, so that an unchanged list is not sent again.
    private let tag = Tag()

    private final class Tag: Sendable { let value = Mutex<String?>(nil) }

    private struct Unexpected: Error, CustomStringConvertible {
        var description: String
    }

    /// - Parameter kept: path of the copy that outlives the process.
    init(_ settings: ServeConfiguration.Metadata, keptAt kept: String, log: Logger) {
        self.settings = settings
        self.kept = kept
        self.log = log
        client = WebClient()
    }

    func makeRefresh(clock: any WallClock) throws -> MetadataRefresh {
        MetadataRefresh(
            verifier: try verifier(), clock: clock, fetch: { try await fetch() },
            keep: { await keep($0) }, report: { report($0) })
    }

    /// Takes over what an earlier process kept, when there is something.
    func restore(_ refresh: MetadataRefresh) async {
        guard let bytes = try? await Self.read(kept) else { return }
        report(await refresh.load(kept: bytes))
    }

    private func verifier() throws -> MetadataBlobVerifier {
        guard let text = FileManager.default.contents(atPath: settings.roots) else {
            throw CommandError("\(settings.roots) cannot be read", code: .badInput)
        }
        let roots = PEMCertificates.read(String(decoding: text, as: UTF8.self))
        do {
            let anchors = try TrustAnchors(der: roots)
            guard !anchors.isEmpty else {
                throw CommandError("\(settings.roots) holds no certificate", code: .badInput)
            }
            let signer: MetadataBlobVerifier.Signer =
                settings.signer == "anyone" ? .anyone : .named(settings.signer)
            return try MetadataBlobVerifier(anchors: anchors, signer: signer)
        } catch is TrustAnchors.AnchorError {
            throw CommandError("\(settings.roots) holds a broken certificate", code: .badInput)
        }
    }

    // MARK: Reading and keeping

    private func fetch() async throws -> MetadataRefresh.Fetched {
        guard settings.place.hasPrefix("https://") else {
            return .blob(try await Self.read(settings.place))
        }
        let known = tag.value.withLock { $0 }.map { [("if-none-match", $0)] } ?? []
        let answer = try await client.send(
            "GET", settings.place, headers: known, limit: MetadataBlobVerifier.maximumBytes,
            seconds: 300)
        if answer.status == 304 { return .unchanged }
        guard answer.status == 200 else {
            throw Unexpected(description: "the service answered \(answer.status)")
        }
        tag.value.withLock { $0 = answer.headers["etag"] }
        return .blob(answer.body)
    }

    private func keep(_ bytes: [UInt8]) async {
        let path = kept
        _ = try? await Self.away { try? SecretFile.replace(path, bytes) }
    }

    private static func read(_ path: String) async throws -> [UInt8] {
        let content = try await away { FileManager.default.contents(atPath: path) }
        guard let content else { throw Unexpected(description: "\(path) cannot be read") }
        guard content.count <= MetadataBlobVerifier.maximumBytes else {
            throw Unexpected(description: "\(path) is too long")
        }
        return Array(content)
    }

    /// Files block, so they are read and written on a thread of their own.
    private static func away<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try BackgroundThread.start(niceness: 10) { continuation.resume(returning: work()) }
            } catch { continuation.resume(throwing: error) }
        }
    }

    private func report(_ outcome: MetadataRefresh.Outcome) {
        switch outcome {
        case .replaced(let number):
            log.notice("metadata of authenticators taken over", metadata: ["number": "\(number)"])
        case .unchanged: log.debug("metadata of authenticators unchanged")
        case .refused(let refusal):
            // What was refused must be sent again: "unchanged" would be said of it otherwise.
            tag.value.withLock { $0 = nil }
            log.error("metadata of authenticators refused", metadata: ["reason": "\(refusal)"])
        case .failed(let reason):
            log.warning(
                "metadata of authenticators not reached; the last ones stay",
                metadata: ["reason": "\(reason)"])
        }
    }
}

/// Keeps metadata fresh as long as the server runs.
struct MetadataRefresher: Service {
    let source: MetadataSource
    let refresh: MetadataRefresh

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await source.restore(refresh)
            await refresh.run()
        }
    }
}

/// Certificates in their text form (RFC 7468 section 5).
enum PEMCertificates {
    /// DER, each of one certificate; what is not readable is left out.
    static func read(_ text: String) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var lines: [Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN CERTIFICATE-----") {
                lines = []
            } else if line.hasPrefix("-----END CERTIFICATE-----") {
                let letters = (lines ?? []).joined().filter { !$0.isWhitespace }
                if let der = Base64.decode(letters), !der.isEmpty { found.append(der) }
                lines = nil
            } else {
                lines?.append(line)
            }
        }
        return found
    }
}
