// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Primitives
import Testing
import WebAuthn

/// Attacks with a clock.
@Suite struct ClockAttackTests {
    @Test("Attack 44: certificates and metadata are validated at the given moment, to the second")
    func clock() async throws {
        let authority = try AttestationAuthority()
        let publisher = try MetadataPublisher(authority: authority)
        let verifier = try publisher.verifier()
        let bytes = try publisher.blob()
        for (seconds, isValid) in [
            (1_699_999_999, false), (1_700_000_000, true), (1_900_000_000, true),
            (1_900_000_001, false),
        ] as [(Int64, Bool)] {
            let now = Timestamp(seconds: seconds)
            if isValid {
                _ = try await verifier.verify(bytes, now: now)
            } else {
                await #expect(throws: MetadataRefusal(.chainUntrusted, "")) {
                    try await verifier.verify(bytes, now: now)
                }
            }
        }
        for moment in [Timestamp(milliseconds: .min), Timestamp(milliseconds: .max)] {
            await #expect(throws: MetadataRefusal(.chainUntrusted, "")) {
                try await verifier.verify(bytes, now: moment)
            }
        }
    }
}
