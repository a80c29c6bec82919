// SPDX-License-Identifier: Apache-2.0
import JOSE
package import NIOCore

/// Messages on the agent's socket: a length of four bytes, most significant first, then one JSON
/// object.
package enum AgentFrame {
    package static let greatestLength = 262_144
    package static let greatestDepth = 16

    /// Neither longer nor deeper than allowed, or the connection ends.
    package struct ParseError: Error, Sendable {
        package init() {}
    }
}

/// Reads messages from bytes.
struct AgentFrameDecoder: NIOSingleStepByteToMessageDecoder {
    typealias InboundOut = JSONObject

    func decode(buffer: inout ByteBuffer) throws -> JSONObject? {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else {
            return nil
        }
        guard (1...UInt32(AgentFrame.greatestLength)).contains(length) else {
            throw AgentFrame.ParseError()
        }
        guard buffer.readableBytes >= 4 + Int(length) else { return nil }
        buffer.moveReaderIndex(forwardBy: 4)
        guard let bytes = buffer.readBytes(length: Int(length)),
            let object = try? JSONParser.parseObject(
                bytes, maximumBytes: AgentFrame.greatestLength,
                maximumDepth: AgentFrame.greatestDepth)
        else { throw AgentFrame.ParseError() }
        return object
    }

    func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> JSONObject? {
        try decode(buffer: &buffer)
    }
}

/// Writes messages.
struct AgentFrameEncoder: MessageToByteEncoder {
    typealias OutboundIn = JSONObject

    func encode(data: JSONObject, out: inout ByteBuffer) throws {
        let bytes = data.bytes
        guard bytes.count <= AgentFrame.greatestLength else { throw AgentFrame.ParseError() }
        out.writeInteger(UInt32(bytes.count))
        out.writeBytes(bytes)
    }
}

extension Channel {
    /// The two, on a channel of the agent's socket.
    package func addAgentFrames() throws {
        try pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(AgentFrameDecoderBox()), MessageToByteHandler(AgentFrameEncoder()),
        ])
    }
}

/// ``AgentFrameDecoder`` for a pipeline.
private struct AgentFrameDecoderBox: ByteToMessageDecoder {
    typealias InboundOut = JSONObject
    private let decoder = AgentFrameDecoder()

    mutating func decode(
        context: ChannelHandlerContext, buffer: inout ByteBuffer
    ) throws -> DecodingState {
        guard let object = try decoder.decode(buffer: &buffer) else { return .needMoreData }
        context.fireChannelRead(wrapInboundOut(object))
        return .continue
    }
}
