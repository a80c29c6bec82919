// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Closes an HTTP/2 connection if a header block (RFC 9113 section 6.2) is not complete in time.
///
/// It precedes the protocol handler in the pipeline. It reads only the first nine bytes of each
/// frame: its length, and whether a header block starts, continues or ends with it.
final class HTTP2HeadDeadline: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Head {
        case none
        /// More frames of it follow.
        case open
        /// It ends with the frame under way.
        case ending
    }

    /// RFC 9113 sections 3.4, 4.1, 6.2 and 6.10.
    private static let (prefaceLength, frameHeadLength) = (24, 9)
    private static let headTypes: Set<UInt8> = [0x01, 0x09]
    private static let endHeaders: UInt8 = 0x04

    private let limit: TimeAmount
    private var head = Head.none
    private var frameHead: [UInt8] = []
    /// Bytes of the preface, or of the frame under way, that are still to come.
    private var remaining = prefaceLength
    private var timer: Scheduled<Void>?

    init(_ limit: TimeAmount) { self.limit = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        read(unwrapInboundIn(data).readableBytesView)
        if isUnderWay, timer == nil { start(context) }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    // MARK: Frames

    /// A frame whose first bytes are incomplete may be a head.
    private var isUnderWay: Bool { head != .none || !frameHead.isEmpty }

    private func read(_ bytes: ByteBufferView) {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if remaining > 0 {
                let count = min(remaining, bytes.endIndex - place)
                place += count
                remaining -= count
            } else {
                frameHead.append(bytes[place])
                place += 1
                if frameHead.count == Self.frameHeadLength { beginFrame() }
            }
            if remaining == 0, frameHead.isEmpty, head == .ending { head = .none }
            // Each head has its own time, also when the next one begins in the same read.
            if !isUnderWay { stop() }
        }
    }

    private func beginFrame() {
        remaining = frameHead[..<3].reduce(0) { $0 << 8 | Int($1) }
        if Self.headTypes.contains(frameHead[3]) {
            head = frameHead[4] & Self.endHeaders == 0 ? .open : .ending
        }
        frameHead.removeAll(keepingCapacity: true)
    }

    // MARK: Time

    private func start(_ context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}
