// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Foundation
import JOSE
import Primitives
import Support
import TPM
import Testing
import WebAuthn

/// Secrets that we seal for a TPM, opened by a real one: Debian's swtpm.
@Suite(
    "A TPM opens what was sealed for it",
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm"),
        "swtpm is not installed"))
struct TPMActivationTests {
    private let maker: EndorsementAuthority
    private let secret = Array("thirty-two bytes, not one fewer.".utf8)

    init() throws { maker = try EndorsementAuthority() }

    private func tpm(_ kinds: SoftwareTPM.EndorsementKind...) async throws -> SoftwareTPM {
        let tpm = try await SoftwareTPM()
        for kind in kinds {
            // Manufacturers add padding after the certificate.
            let certificate = try maker.certify(try tpm.endorsementArea(kind))
            try tpm.leave(certificate: certificate + [0xFF, 0xFF, 0xFF], of: kind)
        }
        return tpm
    }

    private func endorsement(
        of found: TPMEndorsement, and key: TPMObject
    ) async throws -> VerifiedTPMEndorsement {
        try await TPMEndorsementVerifier(roots: try RootKeys(der: [maker.root])).check(
            UnverifiedTPMEndorsement(
                certificates: [found.certificate], attestationArea: key.publicPart),
            now: now)
    }

    @Test(
        "With an endorsement key on P-256 and with one of RSA",
        arguments: SoftwareTPM.EndorsementKind.allCases)
    func activates(_ kind: SoftwareTPM.EndorsementKind) async throws {
        let tpm = try await tpm(kind)
        let device = TPMDevice(path: tpm.path)
        let found = try #require(try device.endorsement())
        #expect(found.kind == (kind == .rsa ? .rsa : .p256))
        #expect(try found.publicArea == tpm.endorsementArea(kind))
        let key = try device.makeAttestationKey()
        let endorsement = try await endorsement(of: found, and: key)
        for secret in [secret, [7]] {
            let credential = try endorsement.credential(secret, to: found.publicArea)
            let opened = try device.activate(
                key, with: found.kind, blob: credential.blob,
                encryptedSecret: credential.encryptedSecret)
            #expect(opened.reveal() == secret)
        }
    }

    @Test(
        "Neither another TPM nor another key of the same TPM opens it",
        arguments: SoftwareTPM.EndorsementKind.allCases)
    func others(_ kind: SoftwareTPM.EndorsementKind) async throws {
        let (here, there) = (try await tpm(kind), try await tpm(kind))
        let (device, other) = (TPMDevice(path: here.path), TPMDevice(path: there.path))
        let found = try #require(try device.endorsement())
        let (key, second) = (try device.makeAttestationKey(), try device.makeAttestationKey())
        let foreign = try other.makeAttestationKey()
        let credential = try await endorsement(of: found, and: key)
            .credential(secret, to: found.publicArea)
        func refused(_ device: TPMDevice, _ key: TPMObject, _ blob: [UInt8]) -> Bool {
            do {
                _ = try device.activate(
                    key, with: found.kind, blob: blob,
                    encryptedSecret: credential.encryptedSecret)
                return false
            } catch {
                guard case .refused = error else { return false }
                return true
            }
        }
        #expect(refused(device, second, credential.blob))
        #expect(refused(other, foreign, credential.blob))
        var changed = credential.blob
        changed[changed.count - 1] ^= 1
        #expect(refused(device, key, changed))
        // It names a key of this TPM, and is sealed for the other.
        let strange = try await endorsement(
            of: try #require(try other.endorsement()), and: key
        ).credential(secret, to: try there.endorsementArea(kind))
        #expect(throws: TPMError.self) {
            try device.activate(
                key, with: found.kind, blob: strange.blob,
                encryptedSecret: strange.encryptedSecret)
        }
        // Refusals leave no session open: the TPM supports only three.
        for _ in 0..<4 { #expect(refused(device, second, credential.blob)) }
        let opened = try device.activate(
            key, with: found.kind, blob: credential.blob,
            encryptedSecret: credential.encryptedSecret)
        #expect(opened.reveal() == secret)
    }

    @Test("Where there are two certificates, the key on P-256 is taken; where none, there is none")
    func choice() async throws {
        let both = try await tpm(.p256, .rsa)
        let found = try TPMDevice(path: both.path).endorsement()
        #expect(found?.kind == .p256)
        let none = try await SoftwareTPM()
        let nothing = try TPMDevice(path: none.path).endorsement()
        #expect(nothing == nil)
    }

    @Test(
        "What is no certificate in its place is none",
        arguments: [
            [0x30], [UInt8](repeating: 0xFF, count: 64), [0x30, 0x82, 0x10, 0x00, 0x30],
            [0x30, 0x03, 0x02, 0x01, 0x00],
        ] as [[UInt8]])
    func nonsense(_ bytes: [UInt8]) async throws {
        let tpm = try await SoftwareTPM()
        try tpm.leave(certificate: bytes, of: .rsa)
        let found = try TPMDevice(path: tpm.path).endorsement()
        #expect(found == nil)
    }
}
