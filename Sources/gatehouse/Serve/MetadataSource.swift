// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import Logging
import Platform
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
    /// Where the source was set.
    private let origin: String
    private let log: Logger
    private let client: WebClient
    /// The `ETag` of the last answer, so that an unchanged list is not sent again.
    private let tag = Tag()

    private final class Tag: Sendable { let value = Mutex<String?>(nil) }

    private struct Unexpected: Error, CustomStringConvertible {
        var description: String
    }

    /// - Parameters:
    ///   - kept: path of the copy that outlives the process.
    ///   - origin: where `metadata` was set, for the log.
    init(
        _ settings: ServeConfiguration.Metadata, keptAt kept: String, origin: String = "metadata",
        log: Logger
    ) {
        self.settings = settings
        self.kept = kept
        self.origin = origin
        self.log = log
        client = WebClient()
    }

    /// - Throws: ``CommandError`` when certificates or revocation lists cannot be read.
    func makeRefresh(clock: any WallClock) throws -> MetadataRefresh {
        // Invalid settings fail the start. Later each refresh reads the files again.
        _ = try Self.verifier(settings)
        var schedule = MetadataRefresh.Schedule()
        schedule.interval = settings.interval
        schedule.retry = min(schedule.retry, settings.interval)
        let settings = settings
        return MetadataRefresh(
            verifier: {
                try await Self.away { Result { try Self.verifier(settings) } }.get()
            }, clock: clock, schedule: schedule, staleAfter: settings.grace,
            fetch: { try await fetch() }, keep: { await keep($0) }, report: { report($0) })
    }

    /// Takes over what an earlier process kept, when there is something.
    func restore(_ refresh: MetadataRefresh) async {
        guard let bytes = try? await Self.read(kept) else { return }
        report(await refresh.load(kept: bytes))
    }

    /// Returns the verifier of metadata BLOBs for `serve` and `inspect metadata`.
    ///
    /// - Throws: ``CommandError`` if certificates or revocation lists cannot be read.
    static func verifier(
        _ settings: ServeConfiguration.Metadata
    ) throws -> MetadataBlobVerifier {
        let lists = try settings.revocationLists.flatMap { path in
            let found = try PEMBlock.contents("X509 CRL", in: file(path, of: "metadata-crl"))
            guard !found.isEmpty else {
                throw CommandError(
                    "\(path) holds no revocation list", code: .badInput, setting: "metadata-crl")
            }
            return found
        }
        do {
            return try MetadataBlobVerifier(
                anchors: try anchors(settings.roots),
                signer: settings.signer == "anyone" ? .anyone : .named(settings.signer),
                revocationLists: lists, revocationRequired: settings.needsRevocationLists,
                grace: settings.grace)
        } catch let refusal as MetadataRefusal {
            throw CommandError(
                "metadata-crl: \(refusal.reason)", code: .badInput, setting: "metadata-crl")
        }
    }

    private static func anchors(_ path: String) throws -> TrustAnchors {
        let setting = "metadata-root"
        let certificates = try PEMBlock.contents("CERTIFICATE", in: file(path, of: setting))
        guard !certificates.isEmpty else {
            throw CommandError(
                "\(path) holds no certificate", code: .badInput, setting: setting)
        }
        do { return try TrustAnchors(der: certificates) } catch {
            throw CommandError(
                "\(path) holds a broken certificate", code: .badInput, setting: setting)
        }
    }

    private static func file(_ path: String, of setting: String) throws(CommandError) -> [UInt8] {
        try SettingFile.read(path, of: setting, limit: MetadataBlobVerifier.maximumBytes)
    }

    // MARK: Reading and keeping

    private func fetch() async throws -> MetadataRefresh.Fetched {
        guard settings.place.hasPrefix("https://") || settings.place.hasPrefix("http://") else {
            return .blob(try await Self.read(settings.place))
        }
        let known = tag.value.withLock { $0 }.map { [("if-none-match", $0)] } ?? []
        let answer = try await ask(known)
        if answer.status == 304 { return .unchanged }
        guard answer.status == 200 else {
            throw Unexpected(description: "the service answered \(answer.status)")
        }
        tag.value.withLock { $0 = answer.headers["etag"] }
        return .blob(answer.body)
    }

    private func ask(_ headers: [(String, String)]) async throws -> WebClient.Answer {
        do {
            return try await client.send(
                "GET", settings.place, headers: headers, limit: MetadataBlobVerifier.maximumBytes,
                seconds: 300)
        } catch {
            throw Unexpected(description: ConnectionError.words(for: error, advice: .system))
        }
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
                "authenticator metadata not fetched; using the cached copy",
                metadata: ["reason": "\(reason)", "setting": "\(origin)"])
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
