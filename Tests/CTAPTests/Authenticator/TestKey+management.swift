// SPDX-License-Identifier: Apache-2.0
import CTAP

extension TestKey {
    /// A key with a PIN and discoverable credentials for two relying parties.
    static func filled() async throws -> TestKey {
        let key = try TestKey()
        for (user, rpId) in [(1, "example.com"), (2, "example.com"), (3, "example.org")] {
            _ = try await key.make(creation(rpId, user: UInt8(user), discoverable: true))
        }
        try await key.setPIN("1234")
        return key
    }

    func manage(
        _ request: CredentialManagementRequest, _ token: PINUVAuthToken? = nil
    ) async throws -> CredentialManagementResponse {
        var request = request
        if let token {
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
            request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        }
        return try CredentialManagementResponse(
            cbor: await send(.credentialManagement(request)))
    }

    func configure(_ request: ConfigRequest, _ token: PINUVAuthToken? = nil) async throws {
        var request = request
        if let token {
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
            request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        }
        try await send(.config(request))
    }
}
