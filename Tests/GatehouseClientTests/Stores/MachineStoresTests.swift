// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import Testing

/// The location of a client's stores if the app does not choose one.
@Suite("Stores that the machine chooses") struct MachineStoresTests {
    private static let state = "/home/anna/.local/state/gatehouse"

    private func choice(
        _ clientID: String = "notes", directory: String? = nil, leavesKeyToMachine: Bool = true,
        keychain: Bool = false, enclave: Bool = false, state: String? = MachineStoresTests.state
    ) throws -> MachineStores {
        try MachineStores(
            of: clientID, directory: directory, leavesKeyToMachine: leavesKeyToMachine,
            on: .init(
                hasKeychain: keychain, hasSecureEnclave: enclave, stateDirectory: state))
    }

    @Test("A machine with a Secure Enclave has keys in it and records in the keychain")
    func enclave() throws {
        #expect(
            try choice(keychain: true, enclave: true)
                == .keychain(
                    service: "gatehouse.apps.notes", keysInEnclave: true,
                    lockDirectory: "\(Self.state)/apps/notes/locks"))
    }

    @Test("One with a keychain alone has both there, and no files")
    func keychain() throws {
        guard case .keychain(_, keysInEnclave: false, _) = try choice(keychain: true) else {
            Issue.record("not the keychain")
            return
        }
    }

    @Test("Two directories are two installations, in the keychain as well")
    func directories() throws {
        let one = try choice(directory: "/one", keychain: true, enclave: true)
        let other = try choice(directory: "/other", keychain: true, enclave: true)
        #expect(one != other)
        #expect(
            one
                == .keychain(
                    service: "gatehouse.apps.notes@/one", keysInEnclave: true,
                    lockDirectory: "/one/locks"))
    }

    @Test("Without a keychain there are folders, in the place of the client")
    func folders() throws {
        #expect(try choice() == .folder("\(Self.state)/apps/notes"))
        #expect(try choice(directory: "/here") == .folder("/here"))
        #expect(try choice("../a b") == .folder("\(Self.state)/apps/___a_b"))
    }

    @Test("An app that names a key means files, with a keychain too")
    func ownKey() throws {
        #expect(
            try choice(leavesKeyToMachine: false, keychain: true, enclave: true)
                == .folder("\(Self.state)/apps/notes"))
    }

    @Test("No folder and no absolute one are refused", arguments: [nil, "relative"])
    func refused(_ directory: String?) {
        #expect(throws: IdentityError(.generic, .configurationInvalid, "")) {
            try choice(directory: directory, keychain: true, state: nil)
        }
    }
}
