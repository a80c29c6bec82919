// SPDX-License-Identifier: Apache-2.0
package import Attestation
package import Crypto
package import Foundation
package import JOSE
package import Primitives
import WebAuthn
import X509

/// An Android key attestation that would pass, until a test spoils a part of it.
package struct AndroidAttestation {
    package static let fingerprint = [UInt8](repeating: 0xAB, count: 32)
    package static let application = "org.example.notes"

    package let authority: AttestationAuthority
    package let key = P256.Signing.PrivateKey()
    /// In place of that key, in the certificate: one whose private half is elsewhere.
    package var leafKey: P256.Signing.PublicKey?
    package var description = KeyDescription()
    package var hasDescription = true
    /// In place of the description.
    package var rawDescription: [UInt8]?
    package var leafValidity = AttestationAuthority.validity
    /// In place of the chain.
    package var certificates: [[UInt8]]?
    package var policy: AndroidKeyPolicy
    /// In place of the key to register.
    package var registered: PublicJWK?
    package var namesNoKey = false

    package init(authority: AttestationAuthority? = nil) throws {
        self.authority = try authority ?? AttestationAuthority()
        let fingerprint = CertificateFingerprint(bytes: Self.fingerprint)
        policy = AndroidKeyPolicy(
            applications: [
                AndroidApplication(
                    packageName: Self.application,
                    fingerprints: Set([fingerprint].compactMap { $0 }))
            ],
            revocation: .checked(
                try RevocationStatusList(
                    json: Array(#"{"entries":{}}"#.utf8), fetched: SampleEvidence.now),
                maximumAge: .days(1)))
    }

    package static let descriptionExtension = "1.3.6.1.4.1.11129.2.1.17"

    package func path() throws -> [[UInt8]] {
        if let certificates { return certificates }
        let value = rawDescription ?? description.encoded
        let found = try Certificate.Extension(Self.descriptionExtension, value)
        return try authority.chain(
            for: leafKey ?? key.publicKey, hasDescription ? [found] : [], constraints: nil,
            validity: leafValidity)
    }

    package func verify(
        expecting other: [UInt8]? = nil, at time: Timestamp = SampleEvidence.now
    ) async throws -> Result<VerifiedAndroidKey, AttestationRefusal> {
        let registered = try namesNoKey ? nil : self.registered ?? key.publicKey.jwk
        return await AndroidKeyVerifier(policy: policy, roots: try authority.roots).verify(
            UnverifiedAndroidKey(certificates: try path()),
            expecting: AttestationExpectation(
                challenge: other ?? SampleEvidence.challenge, key: registered, now: time))
    }

    /// The code of the refusal after a change.
    package static func code(
        _ spoil: (inout AndroidAttestation) throws -> Void
    ) async throws -> AttestationRefusal.Code? {
        var made = try AndroidAttestation()
        try spoil(&made)
        return try await made.verify().code
    }
}

/// Android's key description as a phone of 2025 writes it; right unless changed.
package struct KeyDescription {
    /// Elements behind explicit tags, by tag.
    package typealias List = [UInt: [UInt8]]

    package var attestationLevel: UInt8 = 1
    package var keyLevel: UInt8 = 1
    package var challenge = SampleEvidence.challenge
    package var software: List = [709: applicationID()]
    package var hardware: List = [
        1: der([0x31], integer(2) + integer(3)), 503: [0x05, 0x00], 702: integer(0),
        704: rootOfTrust(), 705: integer(160_000), 706: integer(202_511),
        718: integer(20_251_105), 719: integer(20_251_105),
    ]

    package static func integer(_ number: Int64) -> [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(56 - $0 * 8)) }
        while bytes.count > 1, bytes[0] == 0, bytes[1] < 0x80 { bytes.removeFirst() }
        return der([0x02], bytes)
    }

    package static func octets(_ bytes: [UInt8]) -> [UInt8] { der([0x04], bytes) }

    package static func rootOfTrust(locked: Bool = true, state: UInt8 = 0) -> [UInt8] {
        der(
            [0x30],
            octets([UInt8](repeating: 1, count: 32)) + der([0x01], [locked ? 0xFF : 0])
                + der([0x0A], [state]) + octets([UInt8](repeating: 2, count: 32)))
    }

    package static func applicationID(
        _ packages: [String] = [AndroidAttestation.application],
        digests: [[UInt8]] = [AndroidAttestation.fingerprint]
    ) -> [UInt8] {
        let names = packages.map { der([0x30], octets(Array($0.utf8)) + integer(42)) }
        return octets(
            der(
                [0x30],
                der([0x31], names.flatMap { $0 })
                    + der([0x31], digests.flatMap { octets($0) })))
    }

    /// A list with its elements in order of their tags.
    package static func list(_ elements: List) -> [UInt8] {
        der([0x30], elements.sorted { $0.key < $1.key }.flatMap { der(tag($0.key), $0.value) })
    }

    private static func tag(_ number: UInt) -> [UInt8] {
        guard number > 30 else { return [0xA0 | UInt8(number)] }
        return [0xBF, 0x80 | UInt8(number >> 7), UInt8(number & 0x7F)]
    }

    package var encoded: [UInt8] {
        der(
            [0x30],
            Self.integer(300) + der([0x0A], [attestationLevel]) + Self.integer(300)
                + der([0x0A], [keyLevel]) + Self.octets(challenge) + Self.octets([])
                + Self.list(software) + Self.list(hardware))
    }
}
