// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import WebAuthn

/// What the agent needs of a certificate of the key service.
struct UnlockCertificateInfo: Sendable {
    /// What a person's secrets are sealed to.
    let key: PublicJWK
    private let from: Timestamp
    private let to: Timestamp

    /// `nil` unless it is a certificate with a key on P-256. Who signed it does not matter: it came
    /// in an answer that only the provider could encrypt.
    init?(_ certificate: [UInt8]) {
        guard let leaf = try? AttestationChain(der: [certificate]).leaf, let key = leaf.publicKey,
            key.x963?.count == 65
        else { return nil }
        self.key = key
        // The latest possible end of a certificate.
        let last = Timestamp(seconds: 253_402_300_799)
        from = min(Timestamp(seconds: max(leaf.period.from, 0)), last)
        to = min(Timestamp(seconds: max(leaf.period.to, 0)), last)
    }

    /// When its successor is asked for: with a third of its time to go.
    var renewal: Timestamp {
        let span = max((to - from).milliseconds, 0)
        return to + TimeSpan(milliseconds: -(span / 3))
    }

    func isOver(_ now: Timestamp) -> Bool { now >= to }
}
