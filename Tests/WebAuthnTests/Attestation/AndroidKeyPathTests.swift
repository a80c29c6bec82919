// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Foundation
import Primitives
import SwiftASN1
import Testing
import X509

@testable import WebAuthn

/// Passkeys of phones whose factory certificates have expired, by a chain of a real one
/// (`Tests/Vectors/android-key/README.md`). Its key is in the phone, so the path alone is tested.
@Suite struct AndroidKeyPathTests {
    /// When the chain was recorded; its issuers expired twelve days before.
    private static let then = Timestamp(seconds: 1_780_585_145)
    private let chain: [[UInt8]]

    init() throws { chain = try Self.chain("xperia10iii-sdk33-tee-ec") }

    private static func chain(_ name: String) throws -> [[UInt8]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/android-key/\(name).pem")
        let text = try String(contentsOf: file, encoding: .utf8)
        return try PEMDocument.parseMultiple(pemString: text).map(\.derBytes)
    }

    private func refusal(
        _ chain: [[UInt8]], anchors: [[UInt8]]? = nil, at now: Timestamp = then,
        isAndroidKey: Bool = true
    ) async throws -> String? {
        let path = AttestationPath(
            certificates: try AttestationChain(der: chain).certificates, verifiedExtensions: [],
            isAndroidKey: isAndroidKey)
        let root = try #require(chain.last)
        return await path.refusal(
            anchors: try TrustAnchors(der: anchors ?? [root]), now: now)
    }

    @Test("A passkey below factory certificates that have expired is anchored")
    func expiredInTheFactory() async throws {
        let issuers = try AttestationChain(der: chain).issuers
        #expect(issuers.allSatisfy { !$0.isValid(at: Self.then) })
        #expect(try await refusal(chain) == nil)
    }

    @Test("A metadata service's other certificate of the same root key anchors it too")
    func otherCertificateOfTheRoot() async throws {
        let root = try #require(try Self.chain("tokay-sdk37-tee-mldsa65").last)
        #expect(root != chain.last)
        #expect(try await refusal(chain, anchors: [root]) == nil)
    }

    @Test("Attack 47: the same certificates in a statement of another format")
    func otherFormat() async throws {
        #expect(try await refusal(chain, isAndroidKey: false) != nil)
    }

    @Test("Attack 47: factory certificates before their time, and remote ones after theirs")
    func otherTime() async throws {
        #expect(try await refusal(chain, at: Timestamp(seconds: 1_400_000_000)) != nil)
        let remote = try Self.chain("akita-sdk34-tee-ec-rkp")
        let then = Timestamp(seconds: 1_726_200_000)
        #expect(try await refusal(remote, at: then) == nil)
        #expect(try await refusal(remote, at: then + .days(60)) != nil)
    }

    @Test("Attack 47: factory certificates below an anchor that is not Google's root")
    func otherAnchor() async throws {
        #expect(try await refusal(chain, anchors: [AttestationAuthority().root.der]) != nil)
        // The factory's certificate is not an authority, so another anchor cannot replace it.
        #expect(try await refusal(chain, anchors: [chain[2]]) != nil)
        #expect(try await refusal(chain, anchors: [chain[1]]) != nil)
    }

    @Test("Attack 47: a spoilt leaf, and a leaf by another issuer")
    func altered() async throws {
        var spoilt = chain
        spoilt[0][spoilt[0].count - 1] ^= 1
        #expect(try await refusal(spoilt) != nil)
        var mixed = chain
        mixed[0] = try Self.chain("tokay-sdk37-tee-mldsa65")[0]
        await #expect(throws: (any Error).self) { try await refusal(mixed) }
    }

    @Test("Attack 47: a key that Google certifies as attested issues nothing")
    func attestedIssuer() throws {
        let leaf = try AttestationChain(der: chain).leaf
        #expect(AndroidKeyPath([leaf, leaf]).isIssuerAttested)
        #expect(!AndroidKeyPath(try AttestationChain(der: chain)).isIssuerAttested)
    }
}
