// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Primitives
import Support
import SwiftASN1
import Testing
import WebAuthn
import X509

private let now = MetadataPublisher.now

@Suite("Certificates of people")
struct VerifiedCertificatePathTests {
    private let authority: PersonalAuthority

    init() throws { authority = try PersonalAuthority() }

    private func verify(
        _ chain: [[UInt8]], at time: Timestamp = now
    ) async throws -> Result<VerifiedCertificatePath, VerifiedCertificatePath.Refusal> {
        let anchors = try authority.anchors
        do throws(VerifiedCertificatePath.Refusal) {
            return .success(
                try await VerifiedCertificatePath(der: chain, anchors: anchors, now: time))
        } catch { return .failure(error) }
    }

    private func refusal(
        _ change: (inout PersonalAuthority.Holder) -> Void
    ) async throws -> VerifiedCertificatePath.Refusal? {
        var holder = PersonalAuthority.Holder()
        change(&holder)
        let outcome = try await verify(authority.chain(authority.issue(holder)))
        if case .failure(let refusal) = outcome { return refusal }
        return nil
    }

    @Test("A certificate leads to the root, and names its holder in every way")
    func names() async throws {
        let made = try authority.issue()
        let path = try await verify(try authority.chain(made)).get()
        #expect(path.certificates.count == 3)
        #expect(path.leaf.der == (try made.der))
        #expect(path.leaf.emailAddresses == ["anna@example.com"])
        #expect(path.leaf.principalNames == ["anna@corp.example.com"])
        #expect(path.leaf.shortName == "Anna Johnson")
        #expect(path.leaf.subjectText == "CN=Anna Johnson,O=Maker,C=SE")
        #expect(path.leaf.issuerText == "CN=Intermediate")
        #expect(path.leaf.publicKeySHA1.count == 20 && path.leaf.fingerprint.count == 32)
        #expect(path.leaf.subjectKeyIdentifier == nil)
        #expect(path.leaf.responderAddresses.isEmpty && path.leaf.revocationListAddresses.isEmpty)
    }

    @Test("The root at the end of what was sent is allowed and proves nothing")
    func root() async throws {
        let chain = try authority.chain(authority.issue())
        #expect(
            try await verify(chain + [try authority.makers.root.der]).get().certificates.count == 3)
        let stranger = try PersonalAuthority()
        let foreign =
            try stranger.chain(stranger.issue()) + [try stranger.makers.root.der]
        guard case .failure(.untrusted) = try await verify(foreign) else {
            Issue.record("a foreign root was accepted")
            return
        }
    }

    @Test("Where to ask is read from the certificate")
    func addresses() async throws {
        var holder = PersonalAuthority.Holder()
        holder.responder = "http://ocsp.example.com/"
        holder.list = "http://pki.example.com/ca.crl"
        let path = try await verify(authority.chain(authority.issue(holder))).get()
        #expect(path.leaf.responderAddresses == ["http://ocsp.example.com/"])
        #expect(path.leaf.revocationListAddresses == ["http://pki.example.com/ca.crl"])
    }

    @Test("Usages for signing in pass: smart-card logon, clients, any, and none said")
    func usages() async throws {
        for usages: [ASN1ObjectIdentifier]? in [
            [PersonalAuthority.smartCardLogon], [[1, 3, 6, 1, 5, 5, 7, 3, 2]], [[2, 5, 29, 37, 0]],
            nil,
        ] { #expect(try await refusal { $0.usages = usages } == nil) }
        #expect(try await refusal { $0.keyUsage = nil } == nil)
    }

    @Test("A certificate for something else does not speak for a person")
    func purposes() async throws {
        for change: (inout PersonalAuthority.Holder) -> Void in [
            { $0.usages = [[1, 3, 6, 1, 5, 5, 7, 3, 1]] },
            { $0.keyUsage = KeyUsage(keyEncipherment: true) },
            { $0.constraints = .isCertificateAuthority(maxPathLength: nil) },
        ] {
            guard case .purpose = try await refusal(change) else {
                Issue.record("accepted for another purpose")
                continue
            }
        }
    }

    @Test("Nothing, too much, disorder and certificates of another time are refused")
    func broken() async throws {
        let made = try authority.issue()
        let chain = try authority.chain(made)
        let root = try authority.makers.root.der
        for wrong in [
            [], Array(chain.reversed()), [[0x30, 0]], Array(repeating: chain[0], count: 9),
            [chain[0], chain[0]],
        ] {
            guard case .failure(.malformed) = try await verify(wrong) else {
                Issue.record("read \(wrong.count) certificates")
                continue
            }
        }
        for time in [1_600_000_000, 1_950_000_000, -1] as [Int64] {
            let outcome = try await verify(chain, at: Timestamp(seconds: time))
            guard case .failure(.untrusted) = outcome else {
                Issue.record("valid at \(time)")
                continue
            }
        }
        for wrong in [[chain[0]], [root]] {
            guard case .failure(.untrusted) = try await verify(wrong) else {
                Issue.record("accepted without its issuer")
                continue
            }
        }
    }
}

@Suite("Whether certificates still hold")
struct CertificateStatusTests {
    private let authority: PersonalAuthority
    private let subject: AttestationCertificate
    private let issuer: AttestationCertificate
    private let question: OCSPRequest

    init() async throws {
        authority = try PersonalAuthority()
        let path = try await VerifiedCertificatePath(
            der: authority.chain(authority.issue()), anchors: authority.anchors, now: now)
        subject = path.certificates[0]
        issuer = path.certificates[1]
        question = OCSPRequest(subject, issuer: issuer)
    }

    private func status(_ evidence: [UInt8]...) throws -> CertificateStatus {
        var all = RevocationData()
        for der in evidence { try all.add(der) }
        return all.status(of: subject, issuer: issuer, now: now)
    }

    private func answer(
        _ change: (inout PersonalAuthority.Answer) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        var answer = PersonalAuthority.Answer(at: now)
        try change(&answer)
        return try authority.answer(question, answer)
    }

    private func list(
        _ serials: [[UInt8]] = [], nextUpdate: Int = 2030
    ) throws -> [UInt8] {
        try MetadataPublisher.list(
            by: authority.makers.intermediate, revoking: serials, nextUpdate: nextUpdate)
    }

    @Test("Nothing said is unknown; a current list and a good answer clear")
    func good() throws {
        #expect(try status() == .unknown)
        #expect(try status(answer()) == .good(until: now + .hours(1)))
        guard case .good(let end) = try status(list()) else {
            Issue.record("a current list clears nothing")
            return
        }
        #expect(end.rfc3339.hasPrefix("2030-01-01"))
        #expect(try status(answer(), list()) == .good(until: end))
    }

    @Test("A revoked certificate stays revoked, whatever else is said and however old the word")
    func revoked() throws {
        #expect(try status(list([[9, 9]])) == .revoked)
        #expect(try status(list([[9, 9]], nextUpdate: 2025)) == .revoked)
        #expect(try status(answer { $0.word = 0xA1 }) == .revoked)
        #expect(try status(answer(), list([[9, 9]])) == .revoked)
        #expect(
            try status(
                answer {
                    $0.word = 0xA1; $0.nextUpdate = now - .days(1)
                }, answer()) == .revoked)
        #expect(try status(list([[7]])) != .revoked)
    }

    @Test("Statuses that are expired, early, unsigned or about another certificate prove nothing")
    func unknown() throws {
        #expect(try status(list(nextUpdate: 2025)) == .unknown)
        #expect(try status(answer { $0.nextUpdate = now - .seconds(1) }) == .unknown)
        #expect(try status(answer { $0.thisUpdate = now + .minutes(6) }) == .unknown)
        #expect(try status(answer { $0.nextUpdate = nil }) == .unknown)
        #expect(try status(answer { $0.word = 0x82 }) == .unknown)
        let stranger = try PersonalAuthority()
        #expect(try status(answer { $0.signer = stranger.makers.intermediate }) == .unknown)
        #expect(
            try status(MetadataPublisher.list(by: stranger.makers.intermediate)) == .unknown)
        // About the issuer itself.
        let other = try authority.answer(
            OCSPRequest(issuer, issuer: issuer), PersonalAuthority.Answer(at: now))
        #expect(try status(other) == .unknown)
    }

    @Test("The name of a certificate counts without the parameters of its hash, and not cut short")
    func names() throws {
        let name = question.certificateID
        // SEQUENCE of an algorithm with NULL: both are two bytes shorter without it.
        let bare = [name[0], name[1] - 2, name[2], name[3] - 2] + name[4..<11] + name[13...]
        #expect(try status(answer { $0.certificateID = bare }) == .good(until: now + .hours(1)))
        #expect(
            try status(
                answer {
                    $0.certificateID = bare; $0.word = 0xA1
                }) == .revoked)
        var other = bare
        other[other.count - 1] ^= 1
        #expect(try status(answer { $0.certificateID = other }) == .unknown)
    }

    @Test("A responder speaks when the issuer named it for that, and came along")
    func responder() throws {
        let responder = try authority.responder()
        let good = try answer {
            $0.signer = responder; $0.certificates = [try responder.der]
        }
        #expect(try status(good) == .good(until: now + .hours(1)))
        #expect(try status(answer { $0.signer = responder }) == .unknown)
        let other = try authority.responder([1, 3, 6, 1, 5, 5, 7, 3, 2])
        #expect(
            try status(
                answer {
                    $0.signer = other; $0.certificates = [try other.der]
                }) == .unknown)
        let stranger = try PersonalAuthority().responder()
        #expect(
            try status(
                answer {
                    $0.signer = stranger; $0.certificates = [try stranger.der]
                })
                == .unknown)
    }

    @Test("What is neither list nor answer, failed, or has unknown critical parts is unreadable")
    func unreadable() throws {
        for wrong in [
            [], [0x30, 0], try answer { $0.status = 6 }, try answer { $0.isCritical = true },
            [UInt8](repeating: 0, count: 70_000), try answer() + [0],
            try MetadataPublisher.list(by: authority.makers.intermediate, critical: true),
        ] {
            #expect(throws: RevocationData.ParseError.self) {
                var evidence = RevocationData()
                try evidence.add(wrong)
            }
        }
    }

    @Test("A damaged answer never clears a certificate that the true one does not")
    func damage() throws {
        let good = try answer { $0.word = 0xA1 }
        let random = SeededRandom(seed: 41)
        for _ in 0..<1000 {
            var damaged = good
            let index = Int(random.next() % UInt64(damaged.count))
            damaged[index] ^= UInt8(1 << (random.next() % 8))
            var evidence = RevocationData()
            guard (try? evidence.add(damaged)) != nil else { continue }
            let status = evidence.status(of: subject, issuer: issuer, now: now)
            #expect(status == .unknown || status == .revoked)
        }
    }
}
