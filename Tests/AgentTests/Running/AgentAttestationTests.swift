// SPDX-License-Identifier: Apache-2.0
import Agent
import Crypto
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import Support
import Synchronization
import Testing
import WebAuthn

/// What extensions learn of the TPM that keeps a machine's keys.
@Suite(.enabled(if: AgentKeyStoreTests.hasTPM, "needs swtpm"))
struct AgentAttestationTests {
    private let served = ScriptedExtension()
    private static let hash = Array(SHA256.hash(data: Array("client data".utf8)))

    /// What the agent answers to calls of the extension that registers the device.
    private func answers(
        _ calls: @escaping @Sendable (LoginManagerProxy) async throws -> Void
    ) async throws {
        let tpm = try await SoftwareTPM()
        var setting = SignInSetting()
        setting.keys = AgentKeyStore(.tpm, tpm: tpm.path, random: SystemRandomSource())
        try setting.install(TestProfile(token: "t"))
        let failed = Mutex<(any Error)?>(nil)
        served.next { manager in
            do { try await calls(LoginManagerProxy(manager)) } catch {
                failed.withLock { $0 = error }
            }
        }
        let agent = try await setting.agent(serving: served)
        _ = try await setting.device(of: agent)
        if let error = failed.withLock({ $0 }) { throw error }
    }

    private static func code(
        _ calls: LoginManagerProxy, _ call: ExtensionCall
    ) async -> ExtensionCallRefusal.Code? {
        do throws(ExtensionCallRefusal) {
            _ = try await calls.answer(call)
            return nil
        } catch { return error.code }
    }

    /// The statement about a key, checked as a provider would.
    private static func check(
        _ calls: LoginManagerProxy, _ key: ExtensionKeyReference
    ) async throws {
        let keyAnswer = try await calls.answer(.key(key))
        let answer = try await calls.answer(.attestationStatement(key, clientDataHash: hash))
        guard case .key(let publicKey?) = keyAnswer, case .data(let bytes) = answer else {
            Issue.record("no statement")
            return
        }
        let statement = try JSONParser.parseObject(bytes, maximumBytes: 65_536)
        func member(_ name: String) throws -> [UInt8] {
            try #require(statement[name]?.string.flatMap { Base64URL.decode($0) })
        }
        #expect(statement["format"]?.string == "tpm")
        let area = try TPMPublicArea(try member("public_area")[...])
        #expect(area.publicKey?.x963 == publicKey.x963)
        let info = try member("certify_info")
        let said = try TPMAttestationData(info[...])
        #expect(said.qualifyingData.elementsEqual(hash))
        #expect(said.name.elementsEqual(try #require(area.name())))
        let voucher = try #require(statement["attestation_key"]?.object)
        guard case .publicKey(let jwk) = try JSONWebKey(voucher), let point = jwk.x963 else {
            Issue.record("no attestation key")
            return
        }
        let verifier = try P256.Signing.PublicKey(x963Representation: point)
        let signature = try P256.Signing.ECDSASignature(
            derRepresentation: try member("signature"))
        #expect(verifier.isValidSignature(signature, for: info))
        #expect(statement["quote"] != nil)
    }

    @Test("The TPM's statement of a key, and of the one to come, is the extension's to have")
    func statement() async throws {
        try await answers { calls in
            try await Self.check(calls, .init(.currentDeviceSigning))
            _ = try await calls.answer(.beginKeyRotation(.currentDeviceSigning))
            try await Self.check(calls, .init(.currentDeviceSigning, isPending: true))
        }
    }

    @Test("Certificates there are none, and the refusal says what there is instead")
    func certificates() async throws {
        try await answers { calls in
            for isPending in [false, true] {
                let key = ExtensionKeyReference(.currentDeviceSigning, isPending: isPending)
                if isPending { _ = try await calls.answer(.beginKeyRotation(key.type)) }
                let code = await Self.code(calls, .attest(key, clientDataHash: Self.hash))
                #expect(code == .statementOnly)
            }
        }
    }

    @Test("Of a key that is not there nothing is said")
    func missing() async throws {
        try await answers { calls in
            let pending = ExtensionKeyReference(.currentDeviceSigning, isPending: true)
            for call in [
                .attest(pending, clientDataHash: Self.hash),
                .attestationStatement(pending, clientDataHash: Self.hash),
            ] as [ExtensionCall] {
                #expect(await Self.code(calls, call) == .keyUnavailable)
            }
        }
    }
}
