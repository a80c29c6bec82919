// SPDX-License-Identifier: Apache-2.0
import JOSE

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How `inspect` reads inputs and writes verdicts: one at a time, each within a size limit, each
/// answered before the next is read to its end, so that a program can hold a conversation.
struct InspectBatch {
    typealias Inspection = (JSONValue) async -> JSONValue

    /// The largest input, in bytes.
    static let maximumBytes = 1_048_576

    private let descriptor: Int32
    private let inspection: Inspection

    init(descriptor: Int32, inspection: @escaping Inspection) {
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
        while let chunk = Self.read(descriptor), !chunk.isEmpty {
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
    static func readAll(_ descriptor: Int32, limit: Int = maximumBytes) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            guard let chunk = read(descriptor) else { return nil }
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }

    /// Some bytes; none at the end; `nil` on failure.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            var result: Int
            repeat {
                #if canImport(Glibc)
                    result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                #elseif canImport(Musl)
                    result = Musl.read(descriptor, buffer.baseAddress, buffer.count)
                #else
                    result = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
                #endif
            } while result < 0 && errno == EINTR
            failed = result < 0
            count = max(result, 0)
        }
        return failed ? nil : bytes
    }

    /// Writes all of it to standard output.
    static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                    Glibc.write(1, buffer.baseAddress, buffer.count)
                #elseif canImport(Musl)
                    Musl.write(1, buffer.baseAddress, buffer.count)
                #else
                    Darwin.write(1, buffer.baseAddress, buffer.count)
                #endif
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
