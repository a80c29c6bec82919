// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Primitives
import Support
import Testing

/// The unmodified fido2-tools of Debian use the software key through a pty, as a key on USB.
@Suite(
    .enabled(if: PeerProgram.hasTools, "fido2-tools are not installed"), .timeLimit(.minutes(2)))
struct SecurityKeyPeerTests {
    private let folder = TestFolder()
    private let gesture = ScriptedGesture()

    private func served(
        _ change: (inout AuthenticatorConfiguration) -> Void = { _ in }
    ) throws -> (ServedSecurityKey, path: String) {
        var configuration = AuthenticatorConfiguration()
        change(&configuration)
        let random = SystemRandomSource()
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), configuration: configuration, gesture: gesture,
            clock: SystemWallClock(), random: random)
        let served = try EmulatedSecurityKey(key, random: random).serve(on: .pty)
        return (served, try #require(served.path))
    }

    @discardableResult
    private func tool(
        _ name: String, _ arguments: [String], input: String = "", expecting status: Int32 = 0,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> PeerProgram.Outcome {
        let outcome = try await PeerProgram.run(
            ["/usr/bin/fido2-\(name)"] + arguments, input: input)
        #expect(
            outcome.status == status,
            "fido2-\(name) \(arguments): \(outcome.output)\(outcome.errors)",
            sourceLocation: location)
        return outcome
    }

    private func file(_ name: String, _ lines: [String]) throws -> String {
        let path = folder.path(name)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        return path
    }

    private var challenge: String { Data(TestKey.clientDataHash).base64EncodedString() }

    /// Makes a credential and verifies it; returns its id and the file with its public key.
    private func makeCredential(
        _ path: String, type: String = "es256", options: [String] = [], input: String = ""
    ) async throws -> (id: String, key: String) {
        let name = UUID().uuidString
        let parameters = try file(
            name, [challenge, "example.com", "alice", Data([7, 7, 7]).base64EncodedString()])
        let made = try await tool(
            "cred",
            ["-M", "-i", parameters, "-o", folder.path(name + ".cred")] + options
                + [path, type], input: input)
        try #require(made.status == 0)
        let verify = options.filter { ["-h"].contains($0) } + (options.contains("-v") ? ["-v"] : [])
        let publicKey = folder.path(name + ".pub")
        try await tool(
            "cred", ["-V", "-i", folder.path(name + ".cred"), "-o", publicKey] + verify + [type])
        let lines = try String(contentsOf: URL(filePath: publicKey), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        let key = try file(name + ".pem", Array(lines.dropFirst()))
        return (try #require(lines.first), key)
    }

    private func assert(
        _ path: String, id: String?, key: String, type: String = "es256", options: [String] = [],
        salt: String? = nil, input: String = "", expecting: Int32 = 0
    ) async throws -> PeerProgram.Outcome {
        let name = UUID().uuidString
        let lines = [challenge, "example.com"] + [id, salt].compactMap { $0 }
        let parameters = try file(name, lines)
        let made = try await tool(
            "assert",
            ["-G", "-i", parameters, "-o", folder.path(name + ".assert")] + options + [path],
            input: input, expecting: expecting)
        guard expecting == 0 else { return made }
        let judged = options.filter { ["-h", "-v", "-p"].contains($0) }
        let verified = try await tool(
            "assert", ["-V", "-i", folder.path(name + ".assert")] + judged + [key, type])
        let text = try String(
            contentsOf: URL(filePath: folder.path(name + ".assert")), encoding: .utf8)
        return PeerProgram.Outcome(status: verified.status, output: text, errors: "")
    }

    @Test("fido2-token -I reads what the key is")
    func information() async throws {
        let (served, path) = try served()
        let info = try await tool("token", ["-I", path]).output
        #expect(info.contains("FIDO_2_1"))
        #expect(info.contains("proto: 0x02"))
        #expect(info.contains("hmac-secret"))
        #expect(info.contains("pin retries: undefined") || info.contains("pin retries: 8"))
        served.stop()
        await served.waitForEnd()
    }

    @Test("A credential is made and signs, for every algorithm", arguments: ["es256", "eddsa"])
    func ceremonies(_ type: String) async throws {
        let (served, path) = try served()
        let (id, key) = try await makeCredential(path, type: type)
        let outcome = try await assert(path, id: id, key: key, type: type, options: ["-p"])
        #expect(outcome.status == 0)
        served.stop()
    }

    @Test("A PIN is set, changed, used, and refused when it is wrong")
    func pin() async throws {
        let (served, path) = try served()
        try await tool("token", ["-S", path], input: "1234\n1234\n")
        try await tool("token", ["-C", path], input: "1234\n987654\n987654\n")
        let (id, key) = try await makeCredential(path, options: ["-v"], input: "987654\n")
        let right = try await assert(path, id: id, key: key, options: ["-v"], input: "987654\n")
        #expect(right.status == 0)
        let wrong = try await assert(
            path, id: id, key: key, options: ["-v"], input: "000000\n", expecting: 1)
        #expect(wrong.errors.contains("FIDO_ERR_PIN_INVALID"))
        let info = try await tool("token", ["-I", path]).output
        #expect(info.contains("pin retries: 7"))
        served.stop()
    }

    @Test("Discoverable credentials are listed, used without an id, and deleted")
    func discoverable() async throws {
        let (served, path) = try served()
        try await tool("token", ["-S", path], input: "1234\n1234\n")
        let (id, key) = try await makeCredential(path, options: ["-r", "-v"], input: "1234\n")
        let parties = try await tool("token", ["-L", "-r", path], input: "1234\n").output
        #expect(parties.contains("example.com"))
        let list = try await tool(
            "token", ["-L", "-k", "example.com", path], input: "1234\n"
        ).output
        #expect(list.contains(id))
        #expect(list.contains("es256"))
        let found = try await assert(
            path, id: nil, key: key, options: ["-r", "-v"], input: "1234\n")
        #expect(found.status == 0)
        let metadata = try await tool("token", ["-I", "-c", path], input: "1234\n").output
        #expect(metadata.contains("existing rk(s): 1"))
        try await tool("token", ["-D", "-i", id, path], input: "1234\n")
        let after = try await tool("token", ["-I", "-c", path], input: "1234\n").output
        #expect(after.contains("existing rk(s): 0"))
        served.stop()
    }

    @Test("hmac-secret gives the same secret for the same salt")
    func hmacSecret() async throws {
        let (served, path) = try served()
        let (id, key) = try await makeCredential(path, options: ["-h"])
        let salt = Data(repeating: 9, count: 32).base64EncodedString()
        var secrets: [String] = []
        for _ in 0..<2 {
            let outcome = try await assert(path, id: id, key: key, options: ["-h"], salt: salt)
            secrets.append(String(try #require(outcome.output.split(separator: "\n").last)))
        }
        #expect(secrets[0] == secrets[1])
        #expect(Data(base64Encoded: secrets[0])?.count == 32)
        served.stop()
    }

    @Test("credProtect level 3 requires user verification")
    func credentialProtection() async throws {
        let (served, path) = try served()
        try await tool("token", ["-S", path], input: "1234\n1234\n")
        let parameters = try file(
            "protected", [challenge, "example.com", "alice", Data([1]).base64EncodedString()])
        try await tool(
            "cred",
            ["-M", "-c", "3", "-i", parameters, "-o", folder.path("protected.cred"), path],
            input: "1234\n")
        let made = try String(
            contentsOf: URL(filePath: folder.path("protected.cred")), encoding: .utf8)
        let id = String(try #require(made.split(separator: "\n").dropFirst(4).first))
        let refused = try await assert(path, id: id, key: "", expecting: 1)
        #expect(refused.errors.contains("FIDO_ERR_NO_CREDENTIALS"))
        served.stop()
    }

    @Test("Large blobs are stored, listed, read and deleted")
    func largeBlobs() async throws {
        let (served, path) = try served()
        try await tool("token", ["-S", path], input: "1234\n1234\n")
        let key = try file("blobkey", [Data(repeating: 5, count: 32).base64EncodedString()])
        let blob = try file("blob", ["a certificate, perhaps"])
        try await tool("token", ["-S", "-b", "-k", key, blob, path], input: "1234\n")
        let read = folder.path("blob.read")
        try await tool("token", ["-G", "-b", "-k", key, read, path])
        #expect(
            try Data(contentsOf: URL(filePath: read)) == Data(contentsOf: URL(filePath: blob)))
        try await tool("token", ["-D", "-b", "-k", key, path], input: "1234\n")
        try await tool("token", ["-G", "-b", "-k", key, read, path], expecting: 1)
        served.stop()
    }

    @Test(
        "The configuration is changed: always verify, least PIN length, forced change, enterprise")
    func configuration() async throws {
        let (served, path) = try served { $0.enterpriseRPIDs = ["example.com"] }
        try await tool("token", ["-S", path], input: "1234\n1234\n")
        try await tool("token", ["-S", "-a", path], input: "1234\n")
        try await tool("token", ["-S", "-u", path], input: "1234\n")
        try await tool("token", ["-S", "-l", "6", path], input: "1234\n")
        let info = try await tool("token", ["-I", path]).output
        #expect(info.contains("minpinlen: 6"))
        #expect(info.contains("alwaysUv"))
        #expect(!info.contains("noalwaysUv"))
        #expect(info.contains("ep"))
        #expect(info.contains("forcePINChange") || info.contains("pin change required: true"))
        try await tool("token", ["-C", path], input: "1234\n123456\n123456\n")
        try await tool("token", ["-S", "-f", path], input: "123456\n")
        served.stop()
    }

    @Test("Fingers are enrolled, named, listed, used and removed")
    func fingerprints() async throws {
        let (served, path) = try served { $0.verification = .fingerprint }
        try await tool("token", ["-S", path], input: "1234\n1234\n")
        try await tool("token", ["-S", "-e", path], input: "1234\n")
        let list = try await tool("token", ["-L", "-e", path], input: "1234\n").output
        let id = try #require(
            list.split(whereSeparator: \.isWhitespace).map(String.init)
                .first { $0.count >= 22 })
        try await tool(
            "token", ["-S", "-e", "-i", id, "-n", "left thumb", path], input: "1234\n")
        let named = try await tool("token", ["-L", "-e", path], input: "1234\n").output
        #expect(named.contains("left thumb"))
        let info = try await tool("token", ["-I", path]).output
        #expect(info.contains("bioEnroll"))
        try await tool("token", ["-D", "-e", "-i", id, path], input: "1234\n")
        served.stop()
    }

    @Test("A reset leaves nothing")
    func reset() async throws {
        // Ten seconds after power-up are too few on a busy machine; they have a test of their own.
        let (served, path) = try served { $0.resetWindow = nil }
        try await tool("token", ["-S", path], input: "1234\n1234\n")
        try await tool("token", ["-R", path])
        let info = try await tool("token", ["-I", path]).output
        #expect(info.contains("noclientPin"))
        #expect(gesture.takePrompts().contains(.reset(longTouch: false)))
        served.stop()
    }

    @Test("A key without CTAP2 in use registers and signs with U2F")
    func u2f() async throws {
        let (served, path) = try served()
        let (id, key) = try await makeCredential(path, options: ["-u"])
        let outcome = try await assert(path, id: id, key: key, options: ["-u", "-p"])
        #expect(outcome.status == 0)
        served.stop()
    }

    @Test("A client that leads a session and hangs up the pty does not end the service")
    func hangUp() async throws {
        let (served, path) = try served()
        for _ in 0..<3 {
            let outcome = try await PeerProgram.run(
                ["/usr/bin/fido2-token", "-I", path], leadsSession: true)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        served.stop()
        await served.waitForEnd()
    }
}
