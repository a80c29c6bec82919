// SPDX-License-Identifier: Apache-2.0
import JOSE
import NIOCore
import NIOHTTP1
import NIOPosix
import Primitives
import Synchronization

/// A fake of Apple's DeviceCheck service: it implements the real protocol over a real socket, with
/// fake devices. It is not Apple's and proves nothing about devices.
///
/// Tokens are Base64 of `device:NAME#NUMBER`, with a new number each time; others are invalid.
/// Requests must be signed by the team's key, as Apple requires.
final class DeviceCheckStandIn: Sendable {
    struct State: Sendable {
        /// By device: bit0, bit1.
        var bits: [String: (Bool, Bool)] = [:]
        var asked: [String] = []
        /// In place of every answer.
        var outage: Int?
    }

    private let channel: any Channel
    private let shared: Shared

    final class Shared: Sendable {
        let state = Mutex(State())
        let verifier: JWSVerifier

        init(_ verifier: JWSVerifier) { self.verifier = verifier }

        /// Status and body.
        func answer(_ path: String, _ authorization: String, _ body: [UInt8]) -> (Int, String) {
            state.withLock { state in
                state.asked.append(path)
                if let outage = state.outage { return (outage, "") }
                guard authorization.hasPrefix("Bearer "),
                    let jws = try? verifier.verify(compact: String(authorization.dropFirst(7))),
                    jws.header.keyID == "KEY7890123",
                    let claims = try? JSONParser.parseObject(jws.payload, maximumBytes: 4096),
                    claims["iss"] == "TEAM123456", claims["iat"]?.integer != nil
                else { return (401, "Unable to verify authorization token") }
                guard let object = try? JSONParser.parseObject(body, maximumBytes: 65_536),
                    object["transaction_id"]?.string != nil,
                    let time = object["timestamp"]?.integer, time > 1_000_000_000_000,
                    let token = object["device_token"]?.string.flatMap({ Base64.decode($0) }),
                    let text = String(validating: token, as: UTF8.self),
                    text.hasPrefix("device:"),
                    let device = text.split(separator: "#").first
                        .map(String.init)
                else { return (400, "Missing or badly formatted device token payload") }
                switch path {
                case "/v1/validate_device_token": return (200, "")
                case "/v1/query_two_bits":
                    guard let bits = state.bits[device] else {
                        return (200, "Failed to find bit state")
                    }
                    return (
                        200,
                        #"{"bit0":\#(bits.0),"bit1":\#(bits.1),"last_update_time":"2027-01"}"#
                    )
                case "/v1/update_two_bits":
                    guard let bit0 = object["bit0"]?.bool, let bit1 = object["bit1"]?.bool else {
                        return (400, "Missing or badly formatted bits")
                    }
                    state.bits[device] = (bit0, bit1)
                    return (200, "")
                default: return (404, "")
                }
            }
        }
    }

    init(teamKey: PublicJWK) async throws {
        let shared = Shared(JWSVerifier(key: .publicKey(teamKey), algorithms: [.es256]))
        self.shared = shared
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answering(shared))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// A token as a device makes it, each time another.
    static func token(_ device: String) -> String {
        Base64.encode(Array("device:\(device)#\(UUIDText.make())".utf8))
    }

    var address: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
    var asked: [String] { shared.state.withLock { $0.asked } }

    func bits(_ device: String) -> (Bool, Bool)? {
        shared.state.withLock { $0.bits["device:\(device)"] }
    }

    func change(_ change: (inout State) -> Void) { shared.state.withLock { change(&$0) } }

    /// Closes the port.
    func stop() async throws { try await channel.close() }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let shared: Shared
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ shared: Shared) { self.shared = shared }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = []
            case .body(let part): body.append(contentsOf: part.readableBytesView)
            case .end: answer(context)
            }
        }

        private func answer(_ context: ChannelHandlerContext) {
            let (status, text) = shared.answer(
                head?.uri ?? "", head?.headers.first(name: "authorization") ?? "", body)
            let headers: HTTPHeaders = [
                "content-length": "\(text.utf8.count)", "connection": "close",
            ]
            let head = HTTPResponseHead(
                version: .http1_1, status: .init(statusCode: status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let bytes = context.channel.allocator.buffer(string: text)
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(.end(nil)))
                .whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
