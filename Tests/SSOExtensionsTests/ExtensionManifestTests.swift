// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import Platform
import Primitives
import SSOExtensions
import SingleSignOn
import Support
import Testing

/// Who is trusted to be started: owner, mode, signature, names and digest.
@Suite struct ExtensionManifestTests {
    /// A team with an executable and an installation directory. The owner is the user who runs the
    /// tests.
    private struct House {
        let files = TestFolder()
        let signer: JOSESigner
        let key: PublicJWK
        let folder: ExtensionFolder
        let executable: String

        init(_ algorithm: JWSAlgorithm = .edDSA) throws {
            let pair = try PrivateJWK.generate(for: algorithm)
            signer = try JOSESigner(pair)
            key = pair.publicKey
            folder = ExtensionFolder(path: files.path("extensions"), owner: getuid())
            executable = files.path("program")
            try Data("#!/bin/sh\nexit 0\n".utf8).write(to: URL(filePath: executable))
            chmod(executable, 0o755)
        }

        func manifest(
            identifier: String = "com.example.sso", protocols: ClosedRange<Int> = 1...1
        ) throws -> ExtensionManifest {
            let (digest, length) = try ExtensionFile(executable, owner: nil).digest()
            return ExtensionManifest(
                identifier: identifier, displayName: "Example", extensionVersion: "1.0",
                capabilities: [.platformSSO, .redirect], protocols: protocols, digest: digest,
                length: length, key: key)
        }

        func signed(_ manifest: ExtensionManifest) throws -> [UInt8] {
            try SignedManifest.sign(manifest, with: signer)
        }

        /// Signed by the same key, but not what a manifest says.
        func signed(_ changes: (inout JSONObject) -> Void) throws -> [UInt8] {
            var json = try manifest().json
            changes(&json)
            return try signer.sign(payload: json.bytes, typ: SignedManifest.type)
        }

        @discardableResult
        func install(
            _ manifest: ExtensionManifest? = nil, replaces: Bool = false,
            on disk: any Disk = SystemDisk()
        ) throws -> ExtensionManifest {
            try folder.install(
                manifest: signed(manifest ?? self.manifest()),
                executable: ExtensionFile(executable, owner: nil), replaces: replaces,
                random: SystemRandomSource(), on: disk)
        }

        /// Of the extension that is there and trusted.
        func digest() throws -> [UInt8] {
            try folder.verify("com.example.sso", team: nil).manifest.digest
        }

        func path(_ name: String) -> String { "\(folder.path)/com.example.sso/\(name)" }

        /// With which code it is refused; `nil` when it is trusted.
        func refusal(team: String? = nil) -> ExtensionTrustRefusal.Code? {
            do throws(ExtensionTrustRefusal) {
                _ = try folder.verify("com.example.sso", team: team)
                return nil
            } catch { return error.code }
        }
    }

    private func refusal(_ body: () throws -> Void) -> ExtensionTrustRefusal.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? ExtensionTrustRefusal)?.code }
    }

    // MARK: Trusted

    @Test(
        "What was signed and installed is trusted, with either algorithm",
        arguments: [JWSAlgorithm.edDSA, .es256])
    func trusted(algorithm: JWSAlgorithm) throws {
        let house = try House(algorithm)
        let installed = try house.install()
        let manifest = try house.manifest()
        #expect(installed == manifest)
        #expect(house.refusal(team: manifest.team) == nil)
        #expect(house.folder.identifiers == ["com.example.sso"])
        #expect(try SignedManifest.verify(house.signed(manifest) + [0x0A]) == manifest)
    }

    @Test("A team is named for its key: 32 capitals and digits that profiles can name")
    func team() throws {
        let manifest = try House().manifest()
        #expect(manifest.team.utf8.count == 32)
        #expect(AppIdentifier.isTeam(manifest.team))
        #expect(try House().manifest().team != manifest.team)
    }

    @Test("An update by the same team replaces what is there; without a word it does not")
    func update() throws {
        let house = try House()
        try house.install()
        #expect(refusal { try house.install() } == .alreadyInstalled)
        try Data("#!/bin/sh\nexit 1\n".utf8).write(to: URL(filePath: house.executable))
        try house.install(replaces: true)
        #expect(house.refusal() == nil)
        #expect(try house.folder.uninstall("com.example.sso"))
        #expect(house.folder.identifiers.isEmpty)
        #expect(try !house.folder.uninstall("com.example.sso"))
    }

    @Test("Attack 66: power lost at any call of an update leaves the old extension or the new one")
    func powerCut() throws {
        let house = try House()
        try house.install()
        let old = try house.digest()
        try Data("#!/bin/sh\nexit 1\n".utf8).write(to: URL(filePath: house.executable))
        let new = try ExtensionFile(house.executable, owner: nil).digest().0
        var ends = 0
        for calls in 0..<64 {
            let hasEnded = (try? house.install(replaces: true, on: CutDisk(calls: calls))) != nil
            let found = try house.digest()
            #expect(hasEnded ? found == new : [old, new].contains(found), "after \(calls) calls")
            ends += hasEnded ? 1 : 0
        }
        #expect(ends > 0 && ends < 64)
    }

    // MARK: Not trusted

    @Test("Another team's extension cannot take the name of an installed one")
    func otherTeam() throws {
        let house = try House()
        try house.install()
        let other = try House()
        #expect(
            refusal {
                _ = try house.folder.install(
                    manifest: other.signed(other.manifest()),
                    executable: ExtensionFile(other.executable, owner: nil), replaces: true,
                    random: SystemRandomSource())
            } == .teamMismatch)
        #expect(house.refusal() == nil)
    }

    @Test("The team that the profile names is the team that signed")
    func teamOfTheProfile() throws {
        let house = try House()
        try house.install()
        #expect(house.refusal(team: "ABCDE12345") == .teamMismatch)
    }

    @Test("A changed executable is not the one that was signed")
    func changed() throws {
        let house = try House()
        try house.install()
        try Data("#!/bin/sh\nexit 7\n".utf8).write(to: URL(filePath: house.path("extension")))
        #expect(house.refusal() == .digestMismatch)
    }

    @Test("An executable that grew is not the one that was signed")
    func grown() throws {
        let house = try House()
        try house.install()
        let handle = try #require(FileHandle(forWritingAtPath: house.path("extension")))
        try handle.seekToEnd()
        handle.write(Data("\n".utf8))
        try handle.close()
        #expect(house.refusal() == .digestMismatch)
    }

    @Test(
        "What others may write to is not trusted",
        arguments: ["", "manifest", "extension"], [0o775 as mode_t, 0o757])
    func writable(name: String, mode: mode_t) throws {
        let house = try House()
        try house.install()
        chmod(house.path(name), mode)
        #expect(house.refusal() == .modeTooOpen)
    }

    @Test("A folder above that others may write to is not trusted")
    func writableAbove() throws {
        let house = try House()
        try house.install()
        chmod(house.folder.path, 0o777)
        #expect(house.refusal() == .modeTooOpen)
    }

    @Test("A file of another owner is not trusted")
    func owner() throws {
        let house = try House()
        try house.install()
        // The folder is asked for the files of another user; root's would be trusted.
        let other = ExtensionFolder(path: house.folder.path, owner: 12_345)
        if getuid() == 0 { _ = chown(house.path("manifest"), 4_321, 0) }
        #expect(
            refusal { _ = try other.verify("com.example.sso", team: nil) } == .ownerWrong)
    }

    @Test("A link that replaces a file is not followed", arguments: ["manifest", "extension"])
    func link(name: String) throws {
        let house = try House()
        try house.install()
        rename(house.path(name), house.path("elsewhere"))
        symlink(house.path("elsewhere"), house.path(name))
        #expect(house.refusal() == .notAFile)
    }

    @Test("A folder under another name than the manifest's is refused")
    func renamed() throws {
        let house = try House()
        try house.install()
        rename("\(house.folder.path)/com.example.sso", "\(house.folder.path)/com.example.other")
        #expect(
            refusal { _ = try house.folder.verify("com.example.other", team: nil) }
                == .identifierMismatch)
    }

    @Test(
        "Names that lead elsewhere are not looked for", arguments: ["", "..", "../x", ".x", "a/b"])
    func names(name: String) throws {
        let house = try House()
        #expect(refusal { _ = try house.folder.verify(name, team: nil) } == .notInstalled)
    }

    @Test("An extension with an unsupported version is refused")
    func protocols() throws {
        let house = try House()
        #expect(
            refusal { try house.install(house.manifest(protocols: 2...3)) } == .protocolUnsupported)
    }

    @Test("A signature by another key, or over something else, does not hold")
    func signature() throws {
        let house = try House()
        var letters = try house.signed(house.manifest())
        let place = letters.count - 20
        letters[place] = UInt8(ascii: letters[place] == UInt8(ascii: "A") ? "B" : "A")
        #expect(refusal { _ = try SignedManifest.verify(letters) } == .signatureInvalid)
        let manifest = try house.manifest()
        let stranger = try JOSESigner(PrivateJWK.generate(for: .edDSA))
        let signed = try SignedManifest.sign(manifest, with: stranger)
        #expect(refusal { _ = try SignedManifest.verify(signed) } == .signatureInvalid)
    }

    @Test(
        "Algorithms other than EdDSA and ES256 are refused",
        arguments: [JWSAlgorithm.es384, .rs256])
    func algorithms(algorithm: JWSAlgorithm) throws {
        let house = try House(algorithm)
        let signed = try house.signed(house.manifest())
        #expect(refusal { _ = try SignedManifest.verify(signed) } == .algorithmRefused)
    }

    @Test("A JWS of another type is no manifest")
    func type() throws {
        let house = try House()
        let signed = try house.signer.sign(payload: house.manifest().json.bytes, typ: "JWT")
        #expect(refusal { _ = try SignedManifest.verify(signed) } == .manifestMalformed)
    }

    @Test("A manifest whose team is not its key's is refused")
    func teamOfAnother() throws {
        let house = try House()
        let signed = try house.signed { $0["team"] = "ABCDE12345" }
        #expect(refusal { _ = try SignedManifest.verify(signed) } == .teamMismatch)
    }

    @Test("A manifest of another version is refused")
    func version() throws {
        let signed = try House().signed { $0["manifest"] = 2 }
        #expect(refusal { _ = try SignedManifest.verify(signed) } == .manifestVersion)
    }

    @Test(
        "Members that are missing, malformed or unknown make a manifest malformed",
        arguments: [
            ("identifier", nil), ("identifier", "no spaces in here"), ("identifier", "../up"),
            ("display_name", ""), ("display_name", "two\nlines"), ("capabilities", []),
            ("capabilities", ["fly"]), ("capabilities", ["redirect", "redirect"]),
            ("protocols", [1]), ("protocols", [2, 1]), ("protocols", [0, 1]), ("sha256", "AAAA"),
            ("bytes", 0), ("bytes", "17"), ("key", nil), ("surprise", true), ("team", nil),
        ] as [(String, JSONValue?)])
    func malformed(name: String, value: JSONValue?) throws {
        let signed = try House().signed { $0[name] = value }
        #expect(refusal { _ = try SignedManifest.verify(signed) } == .manifestMalformed)
    }

    @Test("What is no JWS at all is refused", arguments: ["", "a.b", "{}", "a.b.c.d"])
    func noJWS(text: String) {
        #expect(refusal { _ = try SignedManifest.verify(Array(text.utf8)) } == .manifestMalformed)
    }

    @Test("A refused extension leaves nothing behind")
    func leavesNothing() throws {
        let house = try House()
        let signed = try house.signed(house.manifest())
        try Data("another".utf8).write(to: URL(filePath: house.executable))
        #expect(
            refusal {
                _ = try house.folder.install(
                    manifest: signed, executable: ExtensionFile(house.executable, owner: nil),
                    replaces: false, random: SystemRandomSource())
            } == .digestMismatch)
        #expect(!FileManager.default.fileExists(atPath: house.folder.path))
    }
}
