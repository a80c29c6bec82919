// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Testing

@testable import Agent

@Suite struct UnlockMachineTests {
    private let start = TestRecord.start

    private func agreement(_ secret: String) throws -> CachedKeyAgreement {
        let recipient = try PrivateJWK.generate(for: .es256).publicKey
        let (sealed, _) = try SealedSecret.seal(
            Secret("s"), for: "anna", recipient: recipient, context: nil,
            random: SystemRandomSource())
        return CachedKeyAgreement(Secret(secret), for: sealed)
    }

    @Test("With keys in a file agreements are never saved")
    func memory() throws {
        var machine = UnlockMachine(isInMemory: true)
        let first = try agreement("1")
        #expect(machine.handle(.agreed("anna", first, saved: []), now: start) == [])
        #expect(machine.stored(of: "anna", saved: []) == [first])
        #expect(machine.stored(of: "bea", saved: []) == [])
    }

    @Test("With keys in hardware agreements are saved, and not in memory")
    func saved() throws {
        var machine = UnlockMachine(isInMemory: false)
        let (first, second) = (try agreement("1"), try agreement("2"))
        #expect(
            machine.handle(.agreed("anna", second, saved: [first]), now: start)
                == [.save("anna", [first, second])])
        #expect(machine.agreements.isEmpty)
        #expect(machine.handle(.agreed("anna", first, saved: [first]), now: start) == [])
    }

    @Test("The number of agreements is limited, and the oldest is deleted first")
    func limit() throws {
        var machine = UnlockMachine(isInMemory: true)
        let all = try (0...CachedKeyAgreement.greatestCount).map { try agreement("\($0)") }
        for agreement in all { machine.handle(.agreed("anna", agreement, saved: []), now: start) }
        #expect(machine.stored(of: "anna", saved: []) == Array(all.dropFirst()))
    }

    @Test(
        "The end of a grace period deletes agreements in memory and in the record",
        arguments: [true, false])
    func ended(_ isInMemory: Bool) throws {
        let first = try agreement("1")
        var machine = UnlockMachine(isInMemory: isInMemory, agreements: ["anna": [first]])
        #expect(
            machine.handle(.graceEnded("anna", saved: [first]), now: start) == [.save("anna", [])])
        #expect(machine.agreements.isEmpty)
        #expect(machine.handle(.graceEnded("anna", saved: []), now: start) == [])
    }

    @Test("A deleted person has no agreements in memory")
    func forgotten() throws {
        var machine = UnlockMachine(isInMemory: true, agreements: ["anna": [try agreement("1")]])
        machine.handle(.forgotten("anna"), now: start)
        #expect(machine.agreements.isEmpty)
    }

    @Test("A renewal that failed is repeated a day later, and a success clears the failure")
    func renewal() throws {
        var machine = UnlockMachine(isInMemory: true)
        let key = try PrivateJWK.generate(for: .es256)
        let certificate = try #require(
            UnlockCertificateInfo(
                try PlayedCertificate.make(key, from: start, for: .days(3))))
        #expect(machine.renewal(of: "anna", certificate, now: start) == start + .days(2))
        let later = start + .days(2)
        machine.handle(.renewalFailed("anna"), now: later)
        #expect(machine.renewal(of: "anna", certificate, now: later) == start + .days(3))
        // The clock was set back behind the failure.
        #expect(machine.renewal(of: "anna", certificate, now: start) == start + .days(2))
        machine.handle(.certificateRenewed("anna"), now: later)
        #expect(machine.failures.isEmpty)
    }
}
