// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import SingleSignOn
import Synchronization
import Testing

/// What an extension is told of the hardware that keeps keys.
@MainActor @Suite struct KeyAttestationTests {
    private typealias Manager = ASAuthorizationProviderExtensionLoginManager
    private nonisolated static let hash = Data(repeating: 7, count: 32)

    /// What a call of an extension comes to when the agent answers so, in the registration of a device.
    private func outcome(
        _ answer: Result<ExtensionCallResponse, ExtensionCallRefusal>,
        _ body: @escaping @Sendable (Manager) async throws -> Data
    ) async throws -> Result<Data, any Error> {
        let found = Mutex<Result<Data, any Error>?>(nil)
        let principal = PlayedExtension()
        principal.device = { manager, _, completion in
            Task {
                do {
                    let data = try await body(manager)
                    found.withLock { $0 = .success(data) }
                } catch { found.withLock { $0 = .failure(error) } }
                completion(.success)
            }
        }
        let agent = PlayedAgentEnd(principal) { _ in answer }
        _ = await agent.ask(.registerDevice(ExtensionLoginState(), []))
        _ = try await agent.stop()
        return try #require(found.withLock { $0 })
    }

    private func attestationError(
        _ code: ExtensionCallRefusal.Code,
        _ body: @escaping @Sendable (Manager) async throws -> Data
    ) async throws -> ASAuthorizationProviderExtensionAttestationError? {
        let outcome = try await outcome(.failure(.init(code, "")), body)
        guard case .failure(let error) = outcome else { return nil }
        return error as? ASAuthorizationProviderExtensionAttestationError
    }

    @Test(
        "A key with only a TPM's statement has no certificates, and the error reports it")
    func statementOnly() async throws {
        let calls: [@Sendable (Manager) async throws -> Data] = [
            { manager in
                _ = try await manager.attestKey(
                    ofType: .currentDeviceSigning, clientDataHash: Self.hash)
                return Data()
            },
            { manager in
                _ = try await manager.attestPendingKey(
                    ofType: .currentDeviceSigning, clientDataHash: Self.hash)
                return Data()
            },
        ]
        for call in calls {
            #expect(try await attestationError(.statementOnly, call) == .statementOnly)
            #expect(try await attestationError(.notInHardware, call) == .notInHardware)
            #expect(try await attestationError(.failed, call) == nil)
        }
    }

    @Test("The statement comes as it was made, of the key in use or of the one to come")
    func statement() async throws {
        for isPending in [false, true] {
            let outcome = try await outcome(.success(.data([1, 2, 3]))) { manager in
                try await manager.attestationStatement(
                    ofType: .currentDeviceSigning, clientDataHash: Self.hash, isPending: isPending)
            }
            #expect(try outcome.get() == Data([1, 2, 3]))
        }
        let none = try await attestationError(.notInHardware) { manager in
            try await manager.attestationStatement(
                ofType: .currentDeviceSigning, clientDataHash: Self.hash)
        }
        #expect(none == .notInHardware)
    }

    @Test("A hash that is empty or too long is bound to nothing", arguments: [0, 65])
    func hashes(length: Int) async throws {
        let outcome = try await outcome(.success(.data([1]))) { manager in
            try await manager.attestationStatement(
                ofType: .currentDeviceSigning, clientDataHash: Data(count: length))
        }
        guard case .failure(let error) = outcome else {
            Issue.record("there is a statement")
            return
        }
        #expect((error as? ASAuthorizationError)?.code == .failed)
    }
}
