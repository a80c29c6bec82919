// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE

/// Test vectors on disk, relative to the package.
enum VectorFile {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns vectors outside the checkout, because their license does not allow publication here.
    static func shared(_ name: String) -> JSONValue? {
        read(package.deletingLastPathComponent().appending(path: "shared/vectors/\(name)"))
    }

    /// Vectors of this repository.
    static func own(_ name: String) -> JSONValue? {
        read(package.appending(path: "Tests/Vectors/\(name)"))
    }

    private static func read(_ url: URL) -> JSONValue? {
        guard let data = try? Data(contentsOf: url) else { return nil }
        return try? JSONParser.parse(Array(data), maximumBytes: 4_000_000)
    }
}

/// The error code that `body` throws, if it does.
func code(_ body: () throws -> Void) -> JOSEError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? JOSEError)?.code
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
