// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import JOSE
import Primitives
import Testing
import WebAuthn

/// Attestations of Google's phones (android/keyattestation, `testdata`). Skipped if the clone has
/// no shared vectors next to it.
struct AndroidKeyVector: Sendable, CustomTestStringConvertible {
    let name: String
    /// Inside the weeks of its intermediates.
    let then: Timestamp
    let challenge: String
    let level: AndroidSecurityLevel
    let osPatchLevel: Int64

    var testDescription: String { name }
    var certificates: [[UInt8]] { SharedVector.certificates("\(name).pem") }

    static let strongBox = AndroidKeyVector(
        name: "android-key-caiman-sdk36-sb-ec-rkp", then: Timestamp(seconds: 1_759_000_000),
        challenge: "7ccac1ea-4845-482e-858d-f6fa9aa8c295", level: .strongBox,
        osPatchLevel: 202_511)
    static let newRoot = AndroidKeyVector(
        name: "android-key-tegu-sdk36-tee-ec-2026-root", then: Timestamp(seconds: 1_772_000_000),
        challenge: "6417f92c-daef-4cc1-8828-5bb39338ffd5", level: .trustedEnvironment,
        osPatchLevel: 202_602)

    static let all = [strongBox, newRoot].filter { !$0.certificates.isEmpty }

    func verify(
        _ change: (inout AndroidKeyPolicy) -> Void = { _ in }, roots: RootKeys? = nil,
        at time: Timestamp? = nil
    ) async throws -> Result<VerifiedAndroidKey, AttestationRefusal> {
        let fingerprint = try #require(
            CertificateFingerprint(
                "10:39:38:EE:45:37:E5:9E:8E:E7:92:F6:54:50:4F:B8:34:6F:C6:B3:46:D0:BB:C4:41:5F:C3:39:FC:FC:8E:C1"
            ))
        var policy = AndroidKeyPolicy(
            applications: [
                AndroidApplication(
                    packageName: "com.google.android.attestation", fingerprints: [fingerprint])
            ], revocation: .ignored)
        change(&policy)
        let key = try AttestationChain(der: certificates).leaf.publicKey
        return await AndroidKeyVerifier(policy: policy, roots: roots ?? VendorRoots.androidKey)
            .verify(
                UnverifiedAndroidKey(certificates: certificates),
                expecting: AttestationExpectation(
                    challenge: Array(challenge.utf8), key: key, now: time ?? then))
    }
}

@Suite("Android key attestation, real devices", .enabled(if: AndroidKeyVector.all.count == 2))
struct AndroidKeyVectorTests {
    @Test(
        "The chain leads to a root of Google's, and every check passes",
        arguments: AndroidKeyVector.all)
    func verifies(_ vector: AndroidKeyVector) async throws {
        let verified = try await vector.verify().get()
        #expect(verified.facts.level == vector.level)
        #expect(verified.facts.osVersion == 160_000)
        #expect(verified.facts.osPatchLevel == vector.osPatchLevel)
        #expect(verified.facts.rootOfTrust?.isDeviceLocked == true)
        #expect(verified.application.packageName == "com.google.android.attestation")
    }

    @Test("Half a year later it is refused", arguments: AndroidKeyVector.all)
    func late(_ vector: AndroidKeyVector) async throws {
        let result = try await vector.verify(at: vector.then + .days(180))
        #expect(result.code == .chainUntrusted)
    }

    @Test("Where Apple's root is the root, it is refused", arguments: AndroidKeyVector.all)
    func otherRoots(_ vector: AndroidKeyVector) async throws {
        let result = try await vector.verify(roots: VendorRoots.appAttest)
        #expect(result.code == .chainUntrusted)
    }

    @Test(
        "With the serial number of any of its certificates on the list it is refused",
        arguments: AndroidKeyVector.all)
    func revoked(_ vector: AndroidKeyVector) async throws {
        for certificate in try AttestationChain(der: vector.certificates).certificates {
            let serial = Hexadecimal.encode(certificate.serialNumber)
            let entries: JSONValue = [
                "entries": .object(
                    JSONObject([.init(name: serial, value: ["status": "REVOKED"])]))
            ]
            let list = try RevocationStatusList(json: entries.bytes, fetched: vector.then)
            let result = try await vector.verify {
                $0.revocation = .checked(list, maximumAge: .days(1))
            }
            #expect(result.code == .certificateRevoked)
        }
    }

    @Test("Where StrongBox is demanded, only the phone with one passes")
    func strongBox() async throws {
        let strong = try await AndroidKeyVector.strongBox.verify { $0.minimumLevel = .strongBox }
        #expect(strong.code == nil)
        let weak = try await AndroidKeyVector.newRoot.verify { $0.minimumLevel = .strongBox }
        #expect(weak.code == .securityLevelTooLow)
    }

    @Test(
        "The keys ask for no person, and are refused where they must",
        arguments: AndroidKeyVector.all)
    func userAuthentication(_ vector: AndroidKeyVector) async throws {
        let result = try await vector.verify { $0.requiresUserAuthentication = true }
        #expect(result.code == .userAuthenticationMissing)
    }
}
