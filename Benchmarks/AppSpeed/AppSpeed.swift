// SPDX-License-Identifier: Apache-2.0
import Attestation
import AttestationSupport
import Crypto
import Foundation
import GatehouseClient
import GatehouseTesting
import Primitives

/// What apps cost in one process on one core: verifying an App Attest attestation compared with the two
/// signature checks that are in it, and asking a session for the access token that it has.
///
/// Usage: app-speed SECONDS. One JSON line for each: `{"work": …, "ns": …}`.
@main
struct AppSpeed {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let seconds = Double(CommandLine.arguments[1])
        else {
            print("usage: app-speed SECONDS")
            return
        }
        let attestation = try AttestationWork()
        try await measure("App Attest verification", seconds, batch: 20, attestation.verify)
        try await measure(
            "App Attest verification with receipt", seconds, batch: 20,
            attestation.verifyWithReceipt)
        try await measure("two P-384 signature checks", seconds, batch: 20, attestation.signatures)
        let session = try await Self.session()
        try await measure("cached access token", seconds, batch: 1000) {
            _ = try await session.accessToken()
        }
    }

    /// Off the main actor, as a server's and an app's work is.
    @concurrent private static func measure(
        _ work: String, _ seconds: Double, batch: Int,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start.advanced(by: .seconds(seconds))
        var count = 0
        while clock.now < end {
            for _ in 0..<batch { try await body() }
            count += batch
        }
        let each = (clock.now - start) / .nanoseconds(1) / Double(count)
        print("{\"work\": \"\(work)\", \"ns\": \(each.rounded())}")
    }

    /// Of an app that has registered and signed in at a provider in this process.
    private static func session() async throws -> UserSession {
        let provider = try await InProcessProvider()
        let client = try provider.client()
        try await client.register(.credential(provider.testKey()))
        return try await client.signIn(.deviceKey)
    }
}

/// One attestation, with and without its receipt, and the two P-384 signatures of its chain.
struct AttestationWork: Sendable {
    private let verifier: AppAttestVerifier
    private let receiptVerifier: AppAttestVerifier
    private let evidence: [UInt8]
    private let identifier: [UInt8]
    private let expectation: AttestationExpectation
    private let key = P384.Signing.PrivateKey()
    private let message = [UInt8](repeating: 7, count: 400)
    private let signature: P384.Signing.ECDSASignature

    init() throws {
        var made = try AppAttestation()
        let chain = try AppleChain(reissuing: made.path())
        made.certificates = chain.path
        let receiptRoots = try made.authority.roots
        func verifier(checksReceipt: Bool) -> AppAttestVerifier {
            AppAttestVerifier(
                applications: [AppAttestation.application], environment: .development,
                roots: chain.roots, checksReceipt: checksReceipt, receiptRoots: receiptRoots)
        }
        self.verifier = verifier(checksReceipt: false)
        receiptVerifier = verifier(checksReceipt: true)
        evidence = try made.attestation()
        identifier = made.keyHash
        expectation = AttestationExpectation(
            challenge: SampleEvidence.challenge, now: SampleEvidence.now)
        signature = try key.signature(for: message)
    }

    @Sendable func verify() async throws { try await verify(verifier) }

    @Sendable func verifyWithReceipt() async throws { try await verify(receiptVerifier) }

    private func verify(_ verifier: AppAttestVerifier) async throws {
        _ = try await verifier.check(
            UnverifiedAppAttest(attestation: evidence, keyIdentifier: identifier),
            expecting: expectation)
    }

    @Sendable func signatures() async throws {
        for _ in 0..<2 {
            let publicKey = try P384.Signing.PublicKey(
                x963Representation: key.publicKey.x963Representation)
            guard publicKey.isValidSignature(signature, for: message) else {
                throw AttestationRefusal(.chainUntrusted, "the benchmark's own signature")
            }
        }
    }
}
