// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

// One of everything that an app may bring itself, written as its author would: from outside of this
// package, and with the language's usual settings.

struct MyStore: SecureStore {
    init(_ folder: String) {}

    func read(_ name: RecordName) async throws -> [UInt8]? { throw StoreError.locked("asleep") }
    func write(_ bytes: [UInt8], to name: RecordName) async throws {}
    func remove(_ name: RecordName) async throws {}
    func names() async throws -> [RecordName] { RecordName(rawValue: "a").map { [$0] } ?? [] }

    func withLock<Value: Sendable>(
        _ name: RecordName, _ body: nonisolated(nonsending) @Sendable () async throws -> Value
    ) async throws -> Value { try await body() }
}

struct MyKeys: KeyStore {
    struct Key: StoredKey {
        let publicKey: P256PublicKey
        let isHardware = true

        func signature(over message: [UInt8]) async throws -> [UInt8] { [] }
        func seal(_ plaintext: [UInt8], context: [UInt8]) async throws -> [UInt8] { [] }
        func open(_ sealed: [UInt8], context: [UInt8]) async throws -> [UInt8] {
            throw StoreError.damaged("sealed by another")
        }
    }

    func makeKey(_ name: RecordName) async throws -> any StoredKey {
        guard let key = P256PublicKey(rawRepresentation: []) else {
            throw StoreError.unavailable("no key")
        }
        return Key(publicKey: key)
    }

    func key(_ name: RecordName) async throws -> (any StoredKey)? { nil }
    func removeKey(_ name: RecordName) async throws {}
    func keyNames() async throws -> [RecordName] { [] }
}

struct MyTransport: HTTPTransport {
    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        ResourceResponse(status: 200, headers: ["date": request.method], body: request.body ?? [])
    }
}

struct MyClock: TimeSource { var now: Date { Date() } }

struct MySensor: UserVerifier {
    let authenticator = Authenticator.custom("badge")
    var isAvailable: Bool { get async { true } }

    func makeKey(_ name: RecordName) async throws -> P256PublicKey {
        guard let key = P256PublicKey(rawRepresentation: []) else {
            throw UserVerificationError.failed("no key")
        }
        return key
    }

    func signature(
        by name: RecordName, over message: [UInt8], prompt: String
    ) async throws -> [UInt8] { throw UserVerificationError.wantsPIN }

    func removeKey(_ name: RecordName) async throws {}
}

struct MyPasskeys: PasskeyAuthenticator {
    var isAvailable: Bool { get async { true } }

    func makePasskey(_ request: PasskeyCreationOptions) async throws -> NewPasskey {
        NewPasskey(credentialID: request.challenge, clientDataJSON: [], attestationObject: [])
    }

    func signature(for request: PasskeyAssertionOptions) async throws -> PasskeySignature {
        PasskeySignature(
            credentialID: request.allowed[0], clientDataJSON: [], authenticatorData: [],
            signature: [], userID: [])
    }
}

struct MyAttestor: DeviceAttestor {
    let method = RegistrationMethod.playIntegrity

    func evidence(
        for challenge: RegistrationChallenge
    ) async throws -> RegistrationEvidence { RegistrationEvidence(["token": challenge.nonce]) }
}

struct MyCredentials: CredentialProvider {
    func credential(for request: CredentialRequest) async throws -> ExternalCredential {
        switch request.purpose {
        case .registration(let challenge): ExternalCredential(token: challenge.nonce)
        case .signIn: ExternalCredential(token: "a.b.c")
        }
    }
}

struct MyBrowser: BrowserPresenter {
    func answer(to request: BrowserRequest) async throws -> BrowserResponse {
        BrowserResponse(parameters: ["code": "a"], redirectURI: "com.example.notes:/callback")
    }
}

struct MyWindow: SignInRequesting {
    func requestSignIn(_ profile: Profile?, at client: IdentityClient) async throws {
        try await client.signIn(.deviceKey, as: profile?.id)
    }
}

struct MySession: RequestAuthorizing {
    func authorize(_ request: inout ResourceRequest) async throws { request.set("a", "b") }
    func data(for request: ResourceRequest) async throws -> ResourceResponse {
        ResourceResponse(status: 404)
    }
}

func clientOfMyOwn() throws -> IdentityClient {
    try IdentityClient(
        configuration: ClientConfiguration(issuer: "https://login.example.com", clientID: "notes"),
        store: MyStore("/"), keys: MyKeys(), attestor: MyAttestor(), verifiers: [MySensor()],
        passkeys: MyPasskeys(), transport: MyTransport(), time: MyClock())
}
