// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The framing of messages on the socket: four bytes of length, big-endian, then JSON.
package enum ExtensionFrame {
    /// The longest message, without its length.
    package static let maximumBytes = 1_048_576
    /// The maximum nesting depth of containers.
    static let maximumDepth = 24

    /// - Throws: `frameLength` if the message is longer than the maximum.
    package static func bytes(
        of message: some ExtensionWireMessage
    ) throws(ExtensionMessageError) -> [UInt8] {
        let content = message.json.bytes
        guard 1...maximumBytes ~= content.count else {
            throw ExtensionMessageError(.frameLength, "\(content.count) bytes")
        }
        let length = UInt32(content.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + content
    }

    /// Decodes the message of a frame.
    package static func message<Message: ExtensionWireMessage>(
        _: Message.Type, in content: [UInt8]
    ) throws(ExtensionMessageError) -> Message {
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONParser.parseObject(
                content, maximumBytes: maximumBytes, maximumDepth: maximumDepth)
        } catch {
            throw ExtensionMessageError(.notJSON, error.code)
        }
        return try Message(json: object)
    }
}

/// A message that one end of the socket sends.
package protocol ExtensionWireMessage: Sendable, Equatable {
    var json: JSONObject { get }
    init(json: JSONObject) throws(ExtensionMessageError)
}

extension JSONObject {
    /// A message of that name.
    init(message name: String, _ members: [(String, JSONValue)]) {
        self.init(
            [Member(name: "message", value: .string(name))]
                + members.map { Member(name: $0.0, value: $0.1) })
    }
}

/// A reader that splits a stream of bytes into frames.
package struct ExtensionFrameReader: Sendable {
    private var buffer: [UInt8] = []

    package init() {}

    /// The contents of the frames that are whole now.
    ///
    /// - Throws: `frameLength` as soon as four bytes announce too much; the rest is not awaited.
    package mutating func read(
        _ bytes: some Sequence<UInt8>
    ) throws(ExtensionMessageError) -> [[UInt8]] {
        buffer += bytes
        var frames: [[UInt8]] = []
        var start = 0
        while buffer.count - start >= 4 {
            let length = buffer[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard 1...ExtensionFrame.maximumBytes ~= length else {
                throw ExtensionMessageError(.frameLength, "\(length) bytes are announced")
            }
            guard buffer.count - start - 4 >= length else { break }
            frames.append(Array(buffer[(start + 4)..<(start + 4 + length)]))
            start += 4 + length
        }
        buffer.removeFirst(start)
        return frames
    }
}
