// SPDX-License-Identifier: Apache-2.0
import CZlib

/// DEFLATE without a header (RFC 1951), through zlib.
enum RawDeflate {
    /// A window of 32 KiB; negative means "no header" to zlib.
    private static let windowBits: Int32 = -15

    /// `nil` when zlib has no memory.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return run(bytes, capacity: bound) { input, output in
            stream.next_in = input
            stream.avail_in = UInt32(clamping: bytes.count)
            stream.next_out = output
            stream.avail_out = UInt32(clamping: bound)
            return deflate(&stream, Z_FINISH) == Z_STREAM_END ? bound - Int(stream.avail_out) : nil
        }
    }

    /// The bytes that `bytes` are the compression of, when they are exactly `size`.
    static func decompress(_ bytes: [UInt8], size: Int) -> [UInt8]? {
        var stream = z_stream()
        guard
            inflateInit2_(
                &stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        // One byte more than announced, so that too much is seen and not cut off.
        let capacity = size + 1
        let output = run(bytes, capacity: capacity) { input, output in
            stream.next_in = input
            stream.avail_in = UInt32(clamping: bytes.count)
            stream.next_out = output
            stream.avail_out = UInt32(clamping: capacity)
            return inflate(&stream, Z_FINISH) == Z_STREAM_END
                ? capacity - Int(stream.avail_out) : nil
        }
        return output?.count == size ? output : nil
    }

    /// Calls zlib with buffers that exist for the duration of the call.
    private static func run(
        _ bytes: [UInt8], capacity: Int,
        _ body: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) -> Int?
    ) -> [UInt8]? {
        var input = bytes
        var failed = false
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            let written = input.withUnsafeMutableBufferPointer { input in
                body(input.baseAddress, buffer.baseAddress)
            }
            failed = written == nil
            count = written ?? 0
        }
        return failed ? nil : output
    }
}
