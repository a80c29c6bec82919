// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import Foundation
import JOSE
import Primitives
import Support
import Testing
import WebAuthn
import X509

@Suite("Android key attestation")
struct AndroidKeyTests {
    typealias Made = AndroidAttestation
    typealias Fields = KeyDescription

    @Test("A key of trusted hardware is verified, with what the hardware says")
    func verifies() async throws {
        let made = try Made()
        let verified = try await made.verify().get()
        #expect(verified.key == (try made.key.publicKey.jwk))
        #expect(verified.application.packageName == Made.application)
        #expect(verified.facts.level == .trustedEnvironment)
        #expect(verified.facts.osPatchLevel == 202_511)
        #expect(verified.facts.rootOfTrust?.bootState == .verified)
        #expect(verified.facts.isUsableWithoutAuthentication)
    }

    @Test("What a newer version adds to the lists is skipped")
    func newTags() async throws {
        let code = try await Made.code { $0.description.hardware[999] = Fields.octets([1]) }
        #expect(code == nil)
    }

    // MARK: The chain

    @Test("A chain to another root is refused")
    func otherRoot() async throws {
        let (made, stranger) = (try Made(), try AttestationAuthority())
        let result = await AndroidKeyVerifier(policy: made.policy, roots: try stranger.roots)
            .verify(
                UnverifiedAndroidKey(certificates: try made.path()),
                expecting: AttestationExpectation(
                    challenge: challenge, key: try made.key.publicKey.jwk, now: now))
        #expect(result.code == .chainUntrusted)
    }

    @Test("A root that comes along under another key is refused, whatever it is called")
    func sameName() async throws {
        let code = try await Made.code { made in
            let impostor = try Made()
            made.certificates = try impostor.path() + [try impostor.authority.root.der]
            made.registered = try impostor.key.publicKey.jwk
        }
        #expect(code == .chainUntrusted)
    }

    @Test("The root may come along, and a newer certificate of its key as well")
    func rootAlong() async throws {
        var made = try Made()
        made.certificates = try made.path() + [try made.authority.root.der]
        #expect(try await made.verify().code == nil)
    }

    @Test("A leaf right below the root is refused: every device has a key between")
    func noIntermediate() async throws {
        let code = try await Made.code { made in
            let found = try Certificate.Extension(
                Made.descriptionExtension, made.description.encoded)
            var leaf = AttestationAuthority.Leaf()
            leaf.extensions = [found]
            let issued = try made.authority.issue(
                leaf, of: .init(made.key.publicKey), by: made.authority.root)
            made.certificates = [try issued.der, try made.authority.root.der]
        }
        #expect(code == .chainUntrusted)
    }

    @Test("A certificate that its issuer has not signed is refused")
    func forged() async throws {
        let code = try await Made.code { made in
            let other = try Made()
            made.certificates = [try other.path()[0], try made.authority.intermediate.der]
            made.registered = try other.key.publicKey.jwk
        }
        #expect(code == .chainUntrusted)
    }

    @Test("Certificates out of order are refused")
    func order() async throws {
        let code = try await Made.code { $0.certificates = Array(try $0.path().reversed()) }
        #expect(code == .chainMalformed)
    }

    @Test("No certificate, and bytes that are none, are refused", arguments: [0, 1])
    func noCertificates(_ count: Int) async throws {
        let code = try await Made.code { $0.certificates = Array([[0x30, 0]].prefix(count)) }
        #expect(code == .chainMalformed)
    }

    @Test("An issuer that has expired is refused")
    func issuerExpired() async throws {
        let past = Date(timeIntervalSince1970: 1_700_000_000)
        let authority = try AttestationAuthority(
            intermediateValidity: past...past.addingTimeInterval(60))
        #expect(try await Made(authority: authority).verify().code == .chainUntrusted)
    }

    @Test("The leaf's own period does not matter: the device's clock wrote it")
    func leafExpired() async throws {
        var made = try Made()
        made.leafValidity =
            Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 1_000_000)
        #expect(try await made.verify().code == nil)
    }

    @Test("A description in an issuer is refused: the attested key has issued a leaf")
    func extended() async throws {
        let made = try Made()
        // The attested key signs a further certificate with a better description.
        let found = try Certificate.Extension(
            Made.descriptionExtension, made.description.encoded)
        let attested = try AttestationAuthority.issuer(
            "Android Keystore Key", .init(extensions: [found]), by: made.authority.intermediate)
        var leaf = AttestationAuthority.Leaf()
        leaf.extensions = [found]
        let forged = try made.authority.issue(leaf, of: .init(made.key.publicKey), by: attested)
        let code = try await Self.code(made) {
            $0.certificates = [
                try forged.der, try attested.der, try made.authority.intermediate.der,
            ]
        }
        #expect(code == .extensionMisplaced)
    }

    @Test("A leaf that the attested key made without a description is refused as well")
    func extendedBare() async throws {
        let made = try Made()
        let found = try Certificate.Extension(
            Made.descriptionExtension, made.description.encoded)
        let attested = try AttestationAuthority.issuer(
            "Android Keystore Key", .init(extensions: [found]), by: made.authority.intermediate)
        let forged = try made.authority.issue(of: .init(made.key.publicKey), by: attested)
        let code = try await Self.code(made) {
            $0.certificates = [
                try forged.der, try attested.der, try made.authority.intermediate.der,
            ]
        }
        #expect(code == .extensionMisplaced)
    }

    private static func code(
        _ made: Made, _ spoil: (inout Made) throws -> Void
    ) async throws -> AttestationRefusal.Code? {
        var made = made
        try spoil(&made)
        return try await made.verify().code
    }

    // MARK: Revocation

    private static func list(
        _ json: String, age: TimeSpan = .hours(1)
    ) throws
        -> AndroidKeyPolicy.Revocation
    {
        .checked(
            try RevocationStatusList(json: Array(json.utf8), fetched: now - age),
            maximumAge: .days(1))
    }

    @Test(
        "A certificate on the list is refused, whatever its status and however it is written",
        arguments: [
            #"{"entries":{"909":{"status":"REVOKED","reason":"KEY_COMPROMISE"}}}"#,
            #"{"entries":{"10203":{"status":"REVOKED"}}}"#,
            #"{"entries":{"010203":{"status":"SUSPENDED"}}}"#,
            #"{"entries":{"aa":{"status":"REVOKED"},"0909":{"status":"SOMETHING_NEW"}}}"#,
        ])
    func revoked(_ json: String) async throws {
        let code = try await Made.code { $0.policy.revocation = try Self.list(json) }
        #expect(code == .certificateRevoked)
    }

    @Test("A list that names others lets the key pass")
    func notRevoked() async throws {
        let json = #"{"entries":{"90":{"status":"REVOKED"},"9090":{"status":"REVOKED"}}}"#
        #expect(try await Made.code { $0.policy.revocation = try Self.list(json) } == nil)
    }

    @Test("Attack 42: without a list nothing is known, so the key is refused")
    func noList() async throws {
        let code = try await Made.code {
            $0.policy.revocation = .checked(nil, maximumAge: .days(1))
        }
        #expect(code == .revocationUnknown)
    }

    @Test("Attack 42: a list that is too old counts as none")
    func staleList() async throws {
        let code = try await Made.code {
            $0.policy.revocation = try Self.list(#"{"entries":{}}"#, age: .hours(25))
        }
        #expect(code == .revocationStale)
    }

    @Test("Who says that the list is not asked, means it")
    func ignored() async throws {
        #expect(try await Made.code { $0.policy.revocation = .ignored } == nil)
    }

    // MARK: Binding

    @Test("Another challenge is refused")
    func otherChallenge() async throws {
        #expect(try await Made().verify(expecting: [1]).code == .challengeMismatch)
        let longer = challenge + [0]
        #expect(try await Made().verify(expecting: longer).code == .challengeMismatch)
    }

    @Test("An empty challenge is refused even where it fits")
    func emptyChallenge() async throws {
        var made = try Made()
        made.description.challenge = []
        #expect(try await made.verify(expecting: []).code == .challengeMismatch)
    }

    @Test("Another key than the certified one is refused")
    func otherKey() async throws {
        let code = try await Made.code {
            $0.registered = try P256.Signing.PrivateKey().publicKey.jwk
        }
        #expect(code == .keyMismatch)
    }

    @Test("Without a key to register nothing is verified")
    func noKey() async throws {
        #expect(try await Made.code { $0.namesNoKey = true } == .keyMismatch)
    }

    // MARK: The key

    @Test("A key of software is refused, and so is an attestation by software")
    func software() async throws {
        #expect(try await Made.code { $0.description.keyLevel = 0 } == .securityLevelTooLow)
        let code = try await Made.code { $0.description.attestationLevel = 0 }
        #expect(code == .securityLevelTooLow)
    }

    @Test("Attack 42: an unknown level is refused")
    func unknownLevel() async throws {
        let code = try await Made.code {
            $0.description.attestationLevel = 9
            $0.policy.minimumLevel = .software
        }
        #expect(code == .securityLevelTooLow)
    }

    @Test("Where StrongBox is demanded, the TEE is not enough")
    func strongBox() async throws {
        let code = try await Made.code { $0.policy.minimumLevel = .strongBox }
        #expect(code == .securityLevelTooLow)
    }

    @Test("A key of software passes where policy takes it, and what the system says then counts")
    func softwareAllowed() async throws {
        let code = try await Made.code {
            $0.policy.minimumLevel = .software
            $0.description.attestationLevel = 0
            $0.description.keyLevel = 0
            $0.description.software.merge($0.description.hardware) { own, _ in own }
            $0.description.hardware = [:]
        }
        #expect(code == nil)
    }

    @Test("A key that was not made in the hardware is refused", arguments: [1, 2, 3, 4])
    func origin(_ origin: Int64) async throws {
        let code = try await Made.code { $0.description.hardware[702] = Fields.integer(origin) }
        #expect(code == .keyOriginNotAllowed)
    }

    @Test("An origin that only the system states is refused")
    func originOfSoftware() async throws {
        let code = try await Made.code {
            $0.description.software[702] = $0.description.hardware.removeValue(forKey: 702)
        }
        #expect(code == .keyOriginNotAllowed)
    }

    @Test(
        "A key that does more than sign is refused",
        arguments: [[2, 0], [0, 1], [6], [2, 7], []])
    func purpose(_ purposes: [Int64]) async throws {
        let code = try await Made.code {
            $0.description.hardware[1] = der([0x31], purposes.flatMap { Fields.integer($0) })
        }
        #expect(code == .keyPurposeNotAllowed)
    }

    @Test("A key for all applications is refused")
    func allApplications() async throws {
        let code = try await Made.code { $0.description.software[600] = [0x05, 0x00] }
        #expect(code == .applicationMismatch)
    }

    @Test("Where a person must be asked for, a key without is refused")
    func userAuthentication() async throws {
        let code = try await Made.code { $0.policy.requiresUserAuthentication = true }
        #expect(code == .userAuthenticationMissing)
        let silent = try await Made.code {
            $0.policy.requiresUserAuthentication = true
            $0.description.hardware[503] = nil
        }
        #expect(silent == .userAuthenticationMissing)
        let guarded = try await Made.code {
            $0.policy.requiresUserAuthentication = true
            $0.description.hardware[503] = nil
            $0.description.hardware[504] = Fields.integer(2)
        }
        #expect(guarded == nil)
    }

    // MARK: The device

    @Test("Without a root of trust the key is refused")
    func noRootOfTrust() async throws {
        #expect(try await Made.code { $0.description.hardware[704] = nil } == .rootOfTrustMissing)
    }

    @Test("A root of trust that only the system states is refused")
    func rootOfTrustOfSoftware() async throws {
        let code = try await Made.code {
            $0.description.software[704] = $0.description.hardware.removeValue(forKey: 704)
        }
        #expect(code == .rootOfTrustMissing)
    }

    @Test("A device that was not started by its maker's keys is refused", arguments: [1, 2, 3, 9])
    func bootState(_ state: UInt8) async throws {
        let code = try await Made.code {
            $0.description.hardware[704] = Fields.rootOfTrust(state: state)
        }
        #expect(code == .bootNotVerified)
    }

    @Test("An unlocked device is refused")
    func unlocked() async throws {
        let code = try await Made.code {
            $0.description.hardware[704] = Fields.rootOfTrust(locked: false)
        }
        #expect(code == .deviceUnlocked)
    }

    @Test("An unlocked device passes where policy takes it")
    func unlockedAllowed() async throws {
        let code = try await Made.code {
            $0.policy.requiresVerifiedBoot = false
            $0.description.hardware[704] = Fields.rootOfTrust(locked: false, state: 2)
        }
        #expect(code == nil)
    }

    @Test("Each patch level that is too old, or missing, is refused", arguments: [706, 718, 719])
    func patchLevel(_ tag: UInt) async throws {
        func policy(_ made: inout Made, plus: Int64) {
            made.policy.minimumOSPatchLevel = tag == 706 ? 202_511 + plus : nil
            made.policy.minimumVendorPatchLevel = tag == 718 ? 20_251_105 + plus : nil
            made.policy.minimumBootPatchLevel = tag == 719 ? 20_251_105 + plus : nil
        }
        #expect(try await Made.code { policy(&$0, plus: 0) } == nil)
        #expect(try await Made.code { policy(&$0, plus: 1) } == .patchLevelTooOld)
        let missing = try await Made.code {
            policy(&$0, plus: 0)
            $0.description.hardware[tag] = nil
        }
        #expect(missing == .patchLevelTooOld)
    }

    // MARK: The application

    @Test("A key of another application is refused")
    func otherApplication() async throws {
        let code = try await Made.code {
            $0.description.software[709] = Fields.applicationID(["org.example.fake"])
        }
        #expect(code == .applicationMismatch)
    }

    @Test("Without an application the key is refused")
    func noApplication() async throws {
        let code = try await Made.code { $0.description.software[709] = nil }
        #expect(code == .applicationMismatch)
    }

    @Test("An application signed with another certificate is refused")
    func otherSignature() async throws {
        let other = [UInt8](repeating: 0xCD, count: 32)
        for digests in [[other], [AndroidAttestation.fingerprint, other], [], [[1, 2, 3]]] {
            let code = try await Made.code {
                $0.description.software[709] = Fields.applicationID(digests: digests)
            }
            #expect(code == .fingerprintMismatch)
        }
    }

    @Test("An application that shares its user ID with another of the same signature passes")
    func sharedUserID() async throws {
        let code = try await Made.code {
            $0.description.software[709] = Fields.applicationID([
                "org.example.widgets", Made.application,
            ])
        }
        #expect(code == nil)
    }

    // MARK: The form

    @Test("A leaf without a description is refused")
    func noDescription() async throws {
        #expect(try await Made.code { $0.hasDescription = false } == .extensionMissing)
    }

    @Test(
        "A description of another form is refused",
        arguments: [[], [0x30, 0x00], der([0x04], [1]), [UInt8](repeating: 0x30, count: 300)])
    func descriptionForm(_ bytes: [UInt8]) async throws {
        #expect(try await Made.code { $0.rawDescription = bytes } == .extensionMalformed)
    }

    @Test(
        "A field of another form is refused",
        arguments: [
            704: der([0x30], []), 706: KeyDescription.octets([1]), 718: [0x05, 0x00],
            503: KeyDescription.integer(1),
        ] as [UInt: [UInt8]])
    func fieldForm(_ tag: UInt, _ value: [UInt8]) async throws {
        let code = try await Made.code { $0.description.hardware[tag] = value }
        #expect(code == .extensionMalformed)
    }

    @Test("An application identifier of another form is refused")
    func applicationForm() async throws {
        for value in [
            der([0x30], []), Fields.octets([]), Fields.octets(der([0x30], [])),
            Fields.octets(der([0x30], der([0x31], []))),
        ] {
            let code = try await Made.code { $0.description.software[709] = value }
            #expect(code == .extensionMalformed)
        }
    }

    @Test("Every byte of the description that is turned is refused or changes nothing that counts")
    func mutations() async throws {
        let made = try Made()
        let (bytes, random) = (made.description.encoded, SeededRandom(seed: 9))
        for _ in 0..<150 {
            let index = Int(random.next() % UInt64(bytes.count))
            var copy = made
            copy.rawDescription = bytes.replacing(index, with: random.bytes(1)[0])
            let verified = try? await copy.verify().get()
            if let verified {
                #expect(verified.facts.level ?? .software >= .trustedEnvironment)
                #expect(verified.application.packageName == Made.application)
            }
        }
    }
}
