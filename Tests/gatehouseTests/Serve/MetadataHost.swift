// SPDX-License-Identifier: Apache-2.0
import NIOHTTP1
import Synchronization

/// A metadata service on loopback: one document with an `ETag`, over a real socket.
final class MetadataHost: Sendable {
    /// What it answers, and what it was asked.
    private struct State: Sendable {
        var document: [UInt8] = []
        var status = 200
        /// Every request's `If-None-Match`, empty where there was none.
        var known: [String] = []

        mutating func answer(known: String) -> LoopbackHost.Reply {
            self.known.append(known)
            guard status == 200 else { return LoopbackHost.Reply(status: status) }
            let tag = "\"\(document.count)-\(document.hashValue)\""
            let headers: HTTPHeaders = ["etag": tag]
            return known == tag
                ? LoopbackHost.Reply(status: 304, headers: headers)
                : LoopbackHost.Reply(headers: headers, body: document)
        }
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private let shared: Shared
    private let host: LoopbackHost

    init() async throws {
        let shared = Shared()
        self.shared = shared
        host = try await LoopbackHost { head in
            let known = head.headers.first(name: "if-none-match") ?? ""
            return shared.state.withLock { $0.answer(known: known) }
        }
    }

    var address: String { host.address + "/blob.jwt" }

    func serve(_ document: [UInt8], status: Int = 200) {
        shared.state.withLock {
            $0.document = document
            $0.status = status
        }
    }

    var known: [String] { shared.state.withLock { $0.known } }

    /// Closes the port.
    func stop() async throws { try await host.stop() }
}
