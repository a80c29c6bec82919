// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import SingleSignOn
import Testing

@Suite(.enabled(if: SigningPair.openssl != nil, "needs the openssl program"))
struct ProfileSignerTests {
    private static let now = SystemWallClock().now

    private func profile() throws -> [UInt8] {
        var settings = PlatformSSOSettings()
        settings.authenticationMethod = .password
        return try ProfileBuilder(
            ProfileRequest(
                issuer: "https://idp.example.com", displayName: "Example",
                teamIdentifier: "ABCDE12345", extensionIdentifier: "com.example.app.sso",
                platformSSO: settings)
        ).mobileconfig()
    }

    private func fault(_ certificates: [UInt8], _ key: Secret) -> ProfileSigningError? {
        do throws(ProfileSigningError) {
            _ = try ProfileSigner(certificates: certificates, key: key)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "OpenSSL verifies what was signed, whatever the order of the certificates",
        arguments: [SigningPair.Kind.p256, .rsa], [false, true])
    func verified(kind: SigningPair.Kind, rootFirst: Bool) throws {
        let pair = try SigningPair(kind)
        let signer = try ProfileSigner(
            certificates: try pair.chain(rootFirst: rootFirst), key: try pair.key())
        let profile = try profile()
        let message = try signer.sign(profile, at: Self.now)
        #expect(try pair.verified(message) == profile)
        // Without a chain to the trusted root, and with a changed character.
        let other = try SigningPair(kind)
        #expect(throws: SigningPair.Failure.self) { try other.verified(message) }
        let place = try #require(message.firstRange(of: Array("ABCDE12345".utf8)))
        var changed = message
        changed[place.lowerBound] ^= 1
        #expect(throws: SigningPair.Failure.self) { try pair.verified(changed) }
    }

    @Test("Our own reader takes the profile out, and names who signed", arguments: [false, true])
    func read(isLong: Bool) throws {
        let pair = try SigningPair(.p256)
        let signer = try ProfileSigner(certificates: try pair.chain(), key: try pair.key())
        // More than two bytes of length.
        let content = isLong ? [UInt8](repeating: 0x20, count: 70_000) : try profile()
        let message = try signer.sign(content, at: Self.now)
        let read = try SignedProfile(message)
        #expect(read.content == content)
        #expect(read.signers == 1)
        #expect(Set(read.certificateNames) == ["Root", "Signer"])
        #expect(try pair.verified(message) == content)
    }

    @Test("The inspection finds the profile inside, and nothing wrong with it")
    func inspected() throws {
        let pair = try SigningPair(.rsa)
        let signer = try ProfileSigner(certificates: try pair.chain(), key: try pair.key())
        let inspection = try ProfileInspection(try signer.sign(try profile(), at: Self.now))
        #expect(inspection.findings.map(\.code) == [.signedProfile])
        #expect(inspection.singleSignOn.first?.teamIdentifier == "ABCDE12345")
    }

    @Test("A key without its certificate, and a certificate without its key, sign nothing")
    func mismatch() throws {
        let (pair, other) = (try SigningPair(.p256), try SigningPair(.rsa))
        #expect(fault(try other.chain(), try pair.key()) == .keyMismatch)
        #expect(fault(try pair.bytes("root.pem"), try pair.key()) == .keyMismatch)
        #expect(fault([], try pair.key()) == .noCertificate)
        #expect(fault(try pair.bytes("key.pem"), try pair.key()) == .noCertificate)
        let empty = Array("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".utf8)
        #expect(fault(empty, try pair.key()) == .keyMismatch)
        #expect(fault(Array(empty.prefix(40)), try pair.key()) == .noCertificate)
    }

    @Test("Keys that are none, encrypted or on another curve are refused with the reason")
    func keys() throws {
        let pair = try SigningPair(.p384)
        let encrypted = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MAA=
            -----END ENCRYPTED PRIVATE KEY-----
            """
        for key in [try pair.key(), Secret("none"), Secret(encrypted), Secret("")] {
            guard case .key(let reason) = fault(try pair.chain(), key) else {
                Issue.record("accepted")
                continue
            }
            #expect(!reason.isEmpty)
        }
    }

    @Test("A certificate that is cut off anywhere belongs to no key")
    func truncation() throws {
        let pair = try SigningPair(.p256)
        let text = String(decoding: try pair.bytes("signer.pem"), as: UTF8.self)
        let der = try PEMBlock(text).der
        for length in stride(from: 1, to: der.count, by: 7) {
            let block =
                "-----BEGIN CERTIFICATE-----\n"
                + Base64.encode(Array(der.prefix(length))) + "\n-----END CERTIFICATE-----\n"
            #expect(fault(Array(block.utf8), try pair.key()) == .keyMismatch, "\(length)")
        }
    }
}
