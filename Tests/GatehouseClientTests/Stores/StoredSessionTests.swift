// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting
import Support
import Testing

/// A person's session over each kind of store: what befalls the machine costs them nothing.
@Suite("Sessions over every store") struct StoredSessionTests {
    /// Where profiles, tokens and keys are.
    enum Kept: String, CaseIterable {
        case sealedFiles, tpm

        /// Debian's program; a machine without it cannot play a TPM.
        static let here =
            FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm")
            ? allCases : [.sealedFiles]
    }

    /// A signed-in person on a device with faults.
    private final class Machine: Sendable {
        private let folder = TestFolder()
        private let tpm: SoftwareTPM?
        private let key: StoreSealingKey
        private let harmed: HarmedFolder
        private let keyPlace: String
        let provider: InProcessProvider
        let session: UserSession

        init(_ kept: Kept) async throws {
            provider = try await InProcessProvider()
            tpm = kept == .tpm ? try await SoftwareTPM() : nil
            key = tpm.map { .tpm(path: $0.path) } ?? .besideRecords
            harmed = HarmedFolder(folder.path("records"))
            keyPlace = folder.path("keys")
            let client = try provider.client(
                store: harmed.store(key), keys: Self.keys(keyPlace, key))
            try await client.register(.credential(provider.testKey()))
            session = try await client.signIn(.deviceKey)
        }

        private static func keys(_ place: String, _ key: StoreSealingKey) -> any KeyStore {
            guard case .tpm(let path) = key else {
                return FileKeyStore(directory: place, sealedWith: key)
            }
            return TPMKeyStore(directory: place, tpm: path)
        }

        /// Opens a new client, as another process would.
        func client() throws -> IdentityClient {
            try provider.client(store: harmed.store(key), keys: Self.keys(keyPlace, key))
        }

        func fill(_ isFull: Bool) { harmed.fill(isFull) }

        func damage(_ kind: String) async throws {
            let names = try await harmed.store(key).names()
            try harmed.damage(try #require(names.first { $0.rawValue.hasPrefix(kind) }))
        }

        func letExpire() { provider.clock.advance(by: .seconds(3700)) }
    }

    @Test("A clock that is put back a year and forward again", arguments: Kept.here)
    func clock(_ kept: Kept) async throws {
        let machine = try await Machine(kept)
        let first = try await machine.session.accessToken()
        for days in [-365, 365] {
            machine.provider.clock.advance(by: .seconds(days * 86_400))
            let token = try await machine.client().session().accessToken()
            #expect(token != first && token.expiresAt > machine.provider.clock.now)
        }
        #expect(try await machine.client().profiles.count == 1)
    }

    @Test("A disk that is full when tokens are renewed", arguments: Kept.here)
    func fullDisk(_ kept: Kept) async throws {
        let machine = try await Machine(kept)
        machine.letExpire()
        machine.fill(true)
        _ = try await machine.session.accessToken()
        machine.letExpire()
        _ = try await machine.session.accessToken()
        machine.fill(false)
        machine.letExpire()
        _ = try await machine.session.accessToken()
        machine.letExpire()
        _ = try await machine.client().session().accessToken()
    }

    @Test("Tokens that were changed: said, and the key signs in again", arguments: Kept.here)
    func damagedTokens(_ kept: Kept) async throws {
        let machine = try await Machine(kept)
        try await machine.damage("tokens.")
        let client = try machine.client()
        await #expect(throws: IdentityError.made(.generic, .storageDamaged)) {
            try await client.session()
        }
        #expect(try await client.signIn(.deviceKey).accessToken().scopes.contains("openid"))
    }

    @Test("A profile that was changed is not taken for nobody", arguments: Kept.here)
    func damagedProfile(_ kept: Kept) async throws {
        let machine = try await Machine(kept)
        try await machine.damage("profile.")
        let client = try machine.client()
        await #expect(throws: IdentityError.made(.generic, .storageDamaged)) {
            try await client.profiles
        }
        try await client.eraseLocalState()
        #expect(try await client.profiles.isEmpty)
    }

    @Test("Two clients of one store renew once", arguments: Kept.here)
    func twoClients(_ kept: Kept) async throws {
        let machine = try await Machine(kept)
        let other = try await machine.client().session()
        machine.letExpire()
        async let a = machine.session.accessToken()
        async let b = other.accessToken()
        let tokens = try await [a, b]
        #expect(tokens[0] == tokens[1])
    }
}
