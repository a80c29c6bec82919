// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support

/// A root, a certificate below it and its key, which `openssl` makes for one test, and what `openssl`
/// says of messages that were signed with them.
struct SigningPair {
    /// As the first arguments of `openssl req` and `openssl x509`.
    enum Kind: String, Sendable, CaseIterable {
        case p256 = "ec -pkeyopt ec_paramgen_curve:P-256"
        case rsa = "rsa:2048"
        case p384 = "ec -pkeyopt ec_paramgen_curve:P-384"
    }

    struct Failure: Error {}

    static let openssl: String? = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let folder = TestFolder()

    init(_ kind: Kind) throws {
        try run(
            "req -x509 -newkey \(kind.rawValue) -nodes -days 2 -subj /CN=Root "
                + "-keyout root.key -out root.pem")
        try run(
            "req -newkey \(kind.rawValue) -nodes -subj /O=Example/CN=Signer "
                + "-keyout key.pem -out request.pem")
        try run(
            "x509 -req -in request.pem -CA root.pem -CAkey root.key -set_serial 0x8001 "
                + "-days 2 -out signer.pem")
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: folder.path(name))))
    }

    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder.path(name)))
    }

    /// The signer's first or last, as people order them.
    func chain(rootFirst: Bool = false) throws -> [UInt8] {
        let parts = try [bytes("signer.pem"), bytes("root.pem")]
        return (rootFirst ? parts.reversed() : parts).flatMap { $0 }
    }

    func key() throws -> Secret { Secret(try bytes("key.pem")) }

    /// What `openssl cms -verify` finds inside; throws when it refuses the message.
    func verified(_ message: [UInt8]) throws -> [UInt8] {
        try write(message, "message.der")
        try run(
            "cms -verify -binary -inform DER -in message.der -CAfile root.pem "
                + "-purpose any -out content")
        return try bytes("content")
    }

    private func run(_ words: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.openssl ?? "openssl")
        process.arguments = words.split(separator: " ").map(String.init)
        process.currentDirectoryURL = URL(filePath: folder.path(""))
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure() }
    }
}
