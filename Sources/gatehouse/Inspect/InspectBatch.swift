// SPDX-License-Identifier: Apache-2.0
import JOSE
import Platform

/// How `inspect` reads inputs and writes verdicts: one at a time, each within a size limit, each
/// answered before the next is read to its end, so that a program can hold a conversation.
struct InspectBatch {
    typealias Inspection = (JSONValue) async -> JSONValue

    /// The largest input, in bytes.
    static let maximumBytes = 1_048_576

    private let descriptor: Descriptor
    private let inspection: Inspection

    init(descriptor: Descriptor, inspection: @escaping Inspection) {
        self.descriptor = descriptor
        self.inspection = inspection
    }

    /// The verdict on one whole input.
    static func verdict(_ bytes: [UInt8], by inspection: Inspection) async -> JSONValue {
        let input: JSONValue
        do {
            input = try JSONParser.parse(bytes, maximumBytes: maximumBytes)
        } catch {
            let isTooLong = bytes.count > maximumBytes
            return Verdict.refused(
                code: error.code,
                reason: isTooLong
                    ? "longer than \(maximumBytes) bytes" : "the input is not JSON"
            ).json
        }
        return await inspection(input)
    }

    /// Answers every line in order; the last one needs no line feed.
    func run() async {
        var line: [UInt8] = []
        var isTooLong = false
        while let chunk = try? descriptor.read(atMost: 65_536), !chunk.isEmpty {
            for byte in chunk {
                if byte == UInt8(ascii: "\n") {
                    await answer(line, isTooLong)
                    line.removeAll(keepingCapacity: true)
                    isTooLong = false
                } else if line.count < Self.maximumBytes {
                    line.append(byte)
                } else {
                    isTooLong = true
                }
            }
        }
        if !line.isEmpty { await answer(line, isTooLong) }
    }

    private func answer(_ line: [UInt8], _ isTooLong: Bool) async {
        let verdict =
            isTooLong
            ? Verdict.refused(code: JSONError.tooLarge.code, reason: "the line is too long").json
            : await Self.verdict(line, by: inspection)
        Self.write(verdict.bytes + [UInt8(ascii: "\n")])
    }

    /// Everything up to the limit, and one byte more when there is more; `nil` on failure.
    static func readAll(_ descriptor: Descriptor, limit: Int = maximumBytes) -> [UInt8]? {
        try? descriptor.readAll(limit: limit)
    }

    /// Writes all of it to standard output.
    static func write(_ bytes: [UInt8]) {
        try? Descriptor.standardOutput.write(all: bytes)
    }
}
