// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Primitives
import Support
import TPM
import Testing

/// A TPM that is a program: Debian's swtpm. A machine without it cannot play one.
@Suite(
    "A TPM",
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm"),
        "swtpm is not installed"))
struct TPMDeviceTests {
    private let digest = Array(SHA256.hash(data: Array("words".utf8)))

    @Test("What it seals it opens again, and nothing of it can be read outside")
    func seals() async throws {
        let tpm = try await SoftwareTPM()
        let device = TPMDevice(path: tpm.path)
        #expect(device.isThere)
        let secret = Secret([UInt8](1...32))
        let sealed = try device.seal(secret)
        #expect(sealed.point == nil)
        #expect(try device.unseal(sealed).reveal() == secret.reveal())
        let kept = try #require(TPMObject.decode(sealed.encoded, count: 1))
        #expect(try device.unseal(kept[0]).reveal() == secret.reveal())
        #expect(!contains(sealed.encoded, Array(secret.reveal().prefix(8))))
    }

    @Test("An ordinary file is taken for no TPM, and nothing is written to it")
    func ordinaryFile() throws {
        let folder = TestFolder()
        let path = folder.path("notes")
        let text = Data("what somebody wrote".utf8)
        try text.write(to: URL(filePath: path))
        #expect(throws: TPMError.system(call: "open", code: ENOTTY)) {
            try TPMDevice(path: path).seal(Secret([1]))
        }
        #expect(FileManager.default.contents(atPath: path) == text)
    }

    @Test("Its keys sign what their public half verifies")
    func signs() async throws {
        let tpm = try await SoftwareTPM()
        let device = TPMDevice(path: tpm.path)
        let key = try device.makeSigningKey()
        let point = try #require(key.point)
        let signature = try device.sign(digest: digest, with: key)
        let read = try P256.Signing.ECDSASignature(rawRepresentation: signature)
        #expect(
            try P256.Signing.PublicKey(rawRepresentation: point)
                .isValidSignature(read, for: SHA256.hash(data: Array("words".utf8))))
    }

    @Test("Another TPM opens nothing and signs nothing")
    func foreign() async throws {
        let (tpm, other) = (try await SoftwareTPM(), try await SoftwareTPM())
        let (here, there) = (TPMDevice(path: tpm.path), TPMDevice(path: other.path))
        let sealed = try here.seal(Secret([1, 2, 3]))
        #expect(throws: TPMError.foreign) { _ = try there.unseal(sealed) }
        let key = try here.makeSigningKey()
        #expect(throws: TPMError.foreign) { _ = try there.sign(digest: digest, with: key) }
    }

    @Test("An object whose private part was changed is foreign")
    func changed() async throws {
        let tpm = try await SoftwareTPM()
        let device = TPMDevice(path: tpm.path)
        let sealed = try device.seal(Secret([1, 2, 3]))
        var bytes = sealed.privatePart
        bytes[bytes.count - 1] ^= 1
        let spoilt = try #require(TPMObject(privatePart: bytes, publicPart: sealed.publicPart))
        #expect(throws: TPMError.foreign) { _ = try device.unseal(spoilt) }
    }

    @Test("A signing key agrees on nothing, and a secret does not sign")
    func otherUse() async throws {
        let tpm = try await SoftwareTPM()
        let device = TPMDevice(path: tpm.path)
        let key = try device.makeSigningKey()
        let point = try #require(try device.makeAgreementKey().point)
        #expect(throws: TPMError.self) {
            _ = try device.agree(
                key, x: Array(point.prefix(32)), y: Array(point.suffix(32)))
        }
        let sealed = try device.seal(Secret([1]))
        #expect(throws: TPMError.self) { _ = try device.sign(digest: digest, with: sealed) }
    }

    @Test("Many who come at once are served one after the other")
    func line() async throws {
        let tpm = try await SoftwareTPM()
        let device = TPMDevice(path: tpm.path)
        let sealed = try device.seal(Secret([7]))
        let opened = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<12 {
                group.addTask {
                    try await blocking { try device.unseal(sealed).reveal() }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(opened == [[UInt8]](repeating: [7], count: 12))
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
}

/// What is kept of a TPM's objects, and machines without a TPM.
@Suite("Objects of a TPM") struct TPMObjectTests {
    @Test("Where there is none, that is said")
    func none() {
        let device = TPMDevice(path: "/nowhere/tpm")
        #expect(!device.isThere)
        #expect(throws: TPMError.system(call: "open", code: ENOENT)) {
            _ = try device.seal(Secret([1]))
        }
    }

    @Test("A path longer than a socket's may be is no crash")
    func longPath() throws {
        let folder = TestFolder()
        let path = folder.path(String(repeating: "a", count: 120))
        #expect(throws: TPMError.self) { _ = try TPMDevice(path: path).makeSigningKey() }
    }

    @Test("Two objects are read as they were written")
    func kept() throws {
        let one = try #require(TPMObject(privatePart: [1, 2], publicPart: [3]))
        let two = try #require(
            TPMObject(privatePart: [UInt8](repeating: 9, count: 1024), publicPart: [4, 5]))
        #expect(TPMObject.decode(one.encoded + two.encoded, count: 2) == [one, two])
    }

    @Test(
        "What was cut, lengthened, or never written is no object",
        arguments: [
            [], [0], [0, 1, 7], [0, 1, 7, 0, 2, 1], [0, 1, 7, 0, 1, 7, 0], [0, 0, 0, 1, 7],
        ])
    func refused(_ bytes: [UInt8]) { #expect(TPMObject.decode(bytes, count: 1) == nil) }

    @Test("Parts that no TPM makes are no object")
    func limits() {
        let long = [UInt8](repeating: 1, count: 1025)
        #expect(TPMObject(privatePart: [], publicPart: [1]) == nil)
        #expect(TPMObject(privatePart: [1], publicPart: []) == nil)
        #expect(TPMObject(privatePart: long, publicPart: [1]) == nil)
        #expect(TPMObject(privatePart: [1], publicPart: long) == nil)
    }

    /// `TPMT_PUBLIC` of an ECDSA key on P-256, its numbers 1 and 2 bytes long.
    private let area: [UInt8] = [
        0x00, 0x23, 0x00, 0x0B, 0x00, 0x04, 0x04, 0x72, 0x00, 0x00, 0x00, 0x10, 0x00, 0x18, 0x00,
        0x0B, 0x00, 0x03, 0x00, 0x10, 0x00, 0x01, 0x07, 0x00, 0x02, 0x01, 0x08,
    ]

    @Test("Numbers that a TPM has cut short get their zeros back")
    func padded() throws {
        let object = try #require(TPMObject(privatePart: [1], publicPart: area))
        let zeros = [UInt8](repeating: 0, count: 31)
        #expect(object.point == zeros + [7] + zeros.dropLast() + [1, 8])
    }

    @Test(
        "Another algorithm, hash, policy, curve or length has no point on P-256",
        arguments: [1, 3, 9, 11, 13, 15, 17, 19])
    func otherArea(_ index: Int) throws {
        var bytes = area
        bytes[index] ^= 0x40
        let object = try #require(TPMObject(privatePart: [1], publicPart: bytes))
        #expect(object.point == nil)
    }

    @Test("Every beginning of an area, and every area with more behind it, has no point")
    func lengths() throws {
        for count in 1..<area.count {
            let cut = try #require(
                TPMObject(privatePart: [1], publicPart: Array(area.prefix(count))))
            #expect(cut.point == nil)
        }
        let longer = try #require(TPMObject(privatePart: [1], publicPart: area + [0]))
        #expect(longer.point == nil)
    }
}
