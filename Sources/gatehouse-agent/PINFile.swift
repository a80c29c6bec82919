// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Platform
import Primitives

/// A file that holds the PIN of a token, and nothing else but the end of its line.
enum PINFile {
    private static let greatestSize = 256

    static func read(_ path: String) throws -> Secret {
        guard let status = try? FileStatus(path, followsLinks: false) else {
            throw CommandError("\(path) cannot be read", code: .badInput)
        }
        guard status.isForOwnerOnly else {
            throw CommandError("others can read \(path); use chmod 600", code: .badInput)
        }
        guard let data = try? FileSystem.read(path, limit: greatestSize),
            data.count <= greatestSize
        else { throw CommandError("\(path) cannot be read", code: .badInput) }
        var pin = Array(data.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        guard !pin.isEmpty else {
            throw CommandError("\(path) contains no PIN", code: .badInput)
        }
        return Secret(wiping: &pin)
    }
}
