// SPDX-License-Identifier: Apache-2.0
import JOSE
import SingleSignOn
import Testing

@Suite struct SignedProfileTests {
    private func fault(_ bytes: [UInt8]) -> SignedProfileError? {
        do throws(SignedProfileError) {
            _ = try SignedProfile(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "The content is taken out, of one piece and of several",
        arguments: [SignedSample.definite, SignedSample.streamed])
    func content(bytes: [UInt8]) throws {
        #expect(SignedProfile.isLikely(bytes))
        let profile = try SignedProfile(bytes)
        #expect(String(decoding: profile.content, as: UTF8.self) == SignedSample.content)
        #expect(profile.signers == 1)
        #expect(profile.certificateNames == ["Profile Signer"])
    }

    @Test("A message without certificates has no names")
    func nameless() throws {
        let profile = try SignedProfile(SignedSample.withoutCertificates)
        #expect(profile.certificateNames == [])
        #expect(profile.signers == 1)
    }

    @Test("A signature alone, and a sealed message, are refused as what they are")
    func others() {
        #expect(fault(SignedSample.detached) == .detached)
        #expect(fault(SignedSample.enveloped) == .notSigned)
    }

    @Test(
        "A message that is cut off anywhere is refused",
        arguments: [SignedSample.definite, SignedSample.streamed])
    func truncation(bytes: [UInt8]) {
        for length in 0..<bytes.count {
            #expect(fault(Array(bytes[..<length])) != nil, "\(length) bytes")
        }
        #expect(fault(bytes + [0]) == .malformed)
    }

    @Test("Elements inside one another without end are refused")
    func depth() {
        let nested = (0..<10_000).flatMap { _ in [UInt8](arrayLiteral: 0x30, 0x80) }
        #expect(fault(nested) == .malformed)
    }

    @Test(
        "Lengths beyond the message are refused, however large",
        arguments: [
            [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x88, 1, 1, 1, 1, 1, 1, 1, 1],
            [0x30, 0x7F], [0x30, 0x81], [0x3F, 0x01, 0x00], [0x04, 0x80, 0, 0], [0x30],
            [0x30, 0x00], [0x30, 0x04, 0x06, 0x00, 0xA0, 0x00], [0x31, 0x00],
        ] as [[UInt8]])
    func lengths(bytes: [UInt8]) {
        #expect(fault(bytes) != nil)
    }

    @Test("No flipped bit makes the reader fall")
    func flippedBits() {
        var refusals = 0
        for index in SignedSample.streamed.indices {
            var changed = SignedSample.streamed
            changed[index] ^= 0x80
            if fault(changed) != nil { refusals += 1 }
        }
        #expect(refusals > 0)
    }

    @Test("The inspection looks inside, and says that the signature was not verified")
    func inspection() throws {
        let inspection = try ProfileInspection(SignedSample.streamed)
        let note = try #require(inspection.findings.first { $0.code == .signedProfile })
        #expect(note.severity == .note)
        #expect(note.problem.contains("\"Profile Signer\""))
        #expect(note.problem.contains("not been verified"))
        #expect(inspection.value["signature"]?["status"] == "not verified")
        #expect(inspection.findings.contains { $0.path == "PayloadContent" })
    }

    @Test("What is no message at all is refused with a code")
    func unreadable() {
        let verdict = ProfileInspection.verdict(on: SignedSample.detached)
        #expect(verdict["code"] == "signed_profile_detached")
        #expect(verdict["verdict"] == "refused")
    }
}
