// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// An HTTP/1.1 answer as it came over the wire.
struct HTTPAnswer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    var json: [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
    }
}

extension Connection {
    /// Reads one answer. The connection may be kept afterwards.
    func answer(toHead: Bool = false) throws -> HTTPAnswer {
        var bytes: [UInt8] = []
        let end = try readUntil([13, 10, 13, 10], into: &bytes)
        var answer = try Self.head(of: bytes[..<end])
        var rest = Array(bytes[(end + 4)...])
        if toHead || answer.status == 204 || answer.status == 304 { return answer }
        if answer["transfer-encoding"]?.lowercased() == "chunked" {
            answer.body = try chunks(&rest)
        } else if let length = answer["content-length"].flatMap({ Int($0) }) {
            while rest.count < length { try more(&rest) }
            answer.body = Array(rest[..<length])
        } else {
            while case let next = try receive(), !next.isEmpty { rest += next }
            answer.body = rest
        }
        return answer
    }

    private func more(_ bytes: inout [UInt8]) throws {
        let next = try receive()
        guard !next.isEmpty else { throw Failure.reset }
        bytes += next
    }

    private func readUntil(_ mark: [UInt8], into bytes: inout [UInt8]) throws -> Int {
        while true {
            if let range = bytes.firstRange(of: mark) { return range.lowerBound }
            try more(&bytes)
        }
    }

    private static func head(of bytes: ArraySlice<UInt8>) throws -> HTTPAnswer {
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, let status = Int(words[1]) else {
            throw HarnessError("not an HTTP answer: \(lines.first ?? "")")
        }
        let headers = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (
                String(line[..<colon]),
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            )
        }
        return HTTPAnswer(status: status, headers: headers, body: [])
    }

    private func chunks(_ rest: inout [UInt8]) throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let end = try readUntil([13, 10], into: &rest)
            let size = String(decoding: rest[..<end], as: UTF8.self)
            guard let length = Int(size.prefix { $0 != ";" }, radix: 16) else {
                throw HarnessError("not a chunk size: \(size)")
            }
            while rest.count < end + 2 + length + 2 { try more(&rest) }
            body += rest[(end + 2)..<(end + 2 + length)]
            rest.removeFirst(end + 2 + length + 2)
            if length == 0 { return body }
        }
    }
}
