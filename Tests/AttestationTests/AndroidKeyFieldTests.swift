// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Foundation
import JOSE
import Primitives
import Testing
import WebAuthn

/// Chains of devices in the field, from `testdata` of android/keyattestation (Apache-2.0; see
/// `Tests/Vectors/android-key/README.md`).
private struct FieldChain: Sendable {
    let name: String
    var challenge = Array("challenge".utf8)
    /// The package and the SHA-256 of its signer, base64.
    let application: (String, String)
    let then: Timestamp

    static let collector = (
        "com.google.wireless.android.security.attestationverifier.collector",
        "EDk47kU35Z6O55L2VFBPuDRvxrNG0LvEQV/DOfz8jsE="
    )
    static let strongBox = FieldChain(
        name: "blueline-sdk28-sb-rsa", application: collector,
        then: Timestamp(seconds: 1_600_000_000))
    static let factory = FieldChain(
        name: "xperia10iii-sdk33-tee-ec",
        challenge: Base64.decode("Pq/k1d0AkN5aQrQytCSBr1zimWNlayWExZpJLeFtAMk=") ?? [],
        application: ("com.android.vending", "8P1sW0EPJcslw7UzRsiXL64w+O50Ed+RBICtay1g24M="),
        then: Timestamp(seconds: 1_780_585_145))
    static let remote = FieldChain(
        name: "akita-sdk34-tee-ec-rkp", application: collector,
        then: Timestamp(seconds: 1_726_200_000))
    static let lockedAsOne = FieldChain(
        name: "device-locked-as-1", application: ("", ""), then: Timestamp(seconds: 1_700_000_000))
    static let mlDSA = FieldChain(
        name: "tokay-sdk37-tee-mldsa65", application: ("", ""),
        then: Timestamp(seconds: 1_777_375_215))
    static let software = FieldChain(
        name: "marlin-sdk29-software-ec", application: collector,
        then: Timestamp(seconds: 1_600_000_000))

    var certificates: [[UInt8]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Vectors/android-key/\(name).pem")
        return SharedVector.certificates(in: (try? String(contentsOf: file, encoding: .utf8)) ?? "")
    }

    var chain: AttestationChain { get throws { try AttestationChain(der: certificates) } }

    func verify(
        at time: Timestamp? = nil, roots: RootKeys = VendorRoots.androidKey,
        certificates other: [[UInt8]]? = nil, _ change: (inout AndroidKeyPolicy) -> Void = { _ in }
    ) async throws -> Result<VerifiedAndroidKey, AttestationRefusal> {
        let digest = CertificateFingerprint(bytes: Base64.decode(application.1) ?? [])
        var policy = AndroidKeyPolicy(
            applications: [
                AndroidApplication(
                    packageName: application.0, fingerprints: Set([digest].compactMap { $0 }))
            ], revocation: .ignored)
        // The devices of the collection are developers', unlocked.
        policy.requiresVerifiedBoot = false
        change(&policy)
        return await AndroidKeyVerifier(policy: policy, roots: roots).verify(
            UnverifiedAndroidKey(certificates: other ?? certificates),
            expecting: AttestationExpectation(
                challenge: challenge, key: try chain.leaf.publicKey, now: time ?? then))
    }
}

@Suite("Android key attestation in the field")
struct AndroidKeyFieldTests {
    // MARK: Periods

    @Test("A device whose factory certificates have expired passes, locked and verified")
    func expiredInTheFactory() async throws {
        let verified = try await FieldChain.factory.verify { $0.requiresVerifiedBoot = true }.get()
        #expect(verified.facts.rootOfTrust?.isDeviceLocked == true)
        #expect(verified.application.packageName == "com.android.vending")
        let issuers = try FieldChain.factory.chain.issuers
        #expect(issuers.allSatisfy { !$0.isValid(at: FieldChain.factory.then) })
    }

    @Test("Attack 47: remotely provisioned certificates that have expired")
    func expiredRemotely() async throws {
        #expect(try await FieldChain.remote.verify().code == nil)
        let late = FieldChain.remote.then + .days(60)
        #expect(try await FieldChain.remote.verify(at: late).code == .chainUntrusted)
    }

    @Test("Attack 47: factory certificates before their time")
    func early() async throws {
        let early = Timestamp(seconds: 1_400_000_000)
        #expect(try await FieldChain.factory.verify(at: early).code == .chainUntrusted)
    }

    @Test("Attack 47: expired factory certificates below another root, or of another issuer")
    func otherRoot() async throws {
        let chain = FieldChain.factory
        #expect(try await chain.verify(roots: VendorRoots.appAttest).code == .chainUntrusted)
        var mixed = chain.certificates
        mixed[1] = FieldChain.lockedAsOne.certificates[1]
        #expect(try await chain.verify(certificates: mixed).code != nil)
    }

    // MARK: Levels

    @Test("Factory and remote certificates that say StrongBox, or the TEE, bear out their level")
    func levels() async throws {
        let strong = try await FieldChain.strongBox.verify {
            $0.minimumLevel = .strongBox
            $0.requiresMatchingLevels = true
        }.get()
        #expect(strong.facts.certifiedLevel == .strongBox)
        let remote = try await FieldChain.remote.verify { $0.requiresMatchingLevels = true }.get()
        #expect(remote.facts.certifiedLevel == .trustedEnvironment)
        let factory = try await FieldChain.factory.verify { $0.requiresMatchingLevels = true }.get()
        #expect(factory.facts.certifiedLevel == nil)
    }

    @Test("Attack 46: a description that says StrongBox below certificates that do not")
    func claimedStrongBox() async throws {
        var made = try AndroidAttestation()
        made.description.attestationLevel = 2
        made.description.keyLevel = 2
        #expect(try await made.verify().code == nil)
        made.policy.minimumLevel = .strongBox
        #expect(try await made.verify().code == .securityLevelTooLow)
        made.policy.minimumLevel = .trustedEnvironment
        made.policy.requiresMatchingLevels = true
        #expect(try await made.verify().code == .securityLevelMismatch)
    }

    @Test("Attack 46: an attestation of one level for a key of another")
    func twoLevels() async throws {
        var made = try AndroidAttestation()
        made.description.attestationLevel = 2
        #expect(try await made.verify().code == nil)
        made.policy.requiresMatchingLevels = true
        #expect(try await made.verify().code == .securityLevelMismatch)
    }

    // MARK: What descriptions look like

    @Test("deviceLocked is true for every octet but zero")
    func deviceLocked() async throws {
        let extensionValue = try #require(
            try FieldChain.lockedAsOne.chain.leaf.extensionValue(
                AndroidKeyDescription.extensionIdentifier))
        let description = try AndroidKeyDescription(der: extensionValue)
        #expect(try description.hardwareEnforced.rootOfTrust()?.isDeviceLocked == true)
        for (octets, isLocked) in [([0x00], false), ([0x01], true), ([0xFF], true)] {
            var made = try AndroidAttestation()
            made.description.hardware[704] = rootOfTrust(octets.map { UInt8($0) })
            #expect(try await (made.verify().code == nil) == isLocked)
        }
    }

    @Test(
        "Attack 47: a deviceLocked of no octet, or of two", arguments: [[], [1, 1]] as [[UInt8]])
    func deviceLockedMalformed(_ octets: [UInt8]) async throws {
        var made = try AndroidAttestation()
        made.description.hardware[704] = rootOfTrust(octets)
        #expect(try await made.verify().code == .extensionMalformed)
    }

    private func rootOfTrust(_ locked: [UInt8]) -> [UInt8] {
        der(
            [0x30],
            KeyDescription.octets([UInt8](repeating: 1, count: 32)) + der([0x01], locked)
                + der([0x0A], [0]) + KeyDescription.octets([UInt8](repeating: 2, count: 32)))
    }

    @Test("A package AndroidSystem without digests is no app, even where one is named so")
    func androidSystem() async throws {
        var made = try AndroidAttestation()
        made.description.software[709] = KeyDescription.applicationID(
            ["AndroidSystem"], digests: [])
        #expect(try await made.verify().code == .applicationMismatch)
        let fingerprint = CertificateFingerprint(bytes: AndroidAttestation.fingerprint)
        made.policy.applications = [
            AndroidApplication(
                packageName: "AndroidSystem", fingerprints: Set([fingerprint].compactMap { $0 }))
        ]
        #expect(try await made.verify().code == .fingerprintMismatch)
        made.policy.applications = [
            AndroidApplication(packageName: "AndroidSystem", fingerprints: [])
        ]
        #expect(try await made.verify().code == .fingerprintMismatch)
    }

    @Test("The root at the end of a chain is not what makes it trusted")
    func rootInTheChain() async throws {
        let chain = FieldChain.remote
        #expect(try await chain.verify(certificates: chain.certificates.dropLast()).code == nil)
        #expect(try await chain.verify(roots: .none).code == .chainUntrusted)
    }

    // MARK: Keys of software, and of ML-DSA

    @Test("A software key needs the root of software and no demand on the boot")
    func software() async throws {
        let chain = FieldChain.software
        #expect(try await chain.verify { $0.minimumLevel = .software }.code == .chainUntrusted)
        let root = try RootKeys(der: [chain.certificates[2]])
        let passed = try await chain.verify(roots: root) { $0.minimumLevel = .software }.get()
        #expect(passed.facts.level == .software)
        #expect(try await chain.verify(roots: root).code == .securityLevelTooLow)
        let booted = try await chain.verify(roots: root) {
            $0.minimumLevel = .software
            $0.requiresVerifiedBoot = true
        }
        #expect(booted.code == .rootOfTrustMissing)
    }

    @Test("A chain to a key of ML-DSA is read and led to its root; no app registers such a key")
    func mlDSA() async throws {
        let chain = try FieldChain.mlDSA.chain
        #expect(chain.leaf.publicKey == nil)
        #expect(COSESignatureVerifier(chain.leaf, algorithm: .mlDSA65) != nil)
        #expect(COSESignatureVerifier(chain.leaf, algorithm: .mlDSA44) == nil)
        #expect(COSESignatureVerifier(chain.leaf, algorithm: .es256) == nil)
        #expect(try await FieldChain.mlDSA.verify().code == .keyMismatch)
        #expect(try await FieldChain.mlDSA.verify(roots: .none).code == .chainUntrusted)
    }

    @Test("Attack 47: a certificate of another key than ML-DSA whose signature is spoilt")
    func spoiltMLDSA() async throws {
        var certificates = FieldChain.mlDSA.certificates
        let middle = certificates[0].count / 2
        certificates[0][middle] ^= 1
        let code = try await FieldChain.mlDSA.verify(certificates: certificates).code
        #expect(code == .chainUntrusted)
    }
}
