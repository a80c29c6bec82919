// SPDX-License-Identifier: Apache-2.0

/// Finds out, without a touch, which of many credentials a key has, in portions that the key
/// accepts (CTAP 2.2 section 6.1.2 and 6.2.2: pre-flight).
///
/// The relying party does not receive the result without a touch.
struct Preflight: Sendable {
    let key: SecurityKey
    let info: AuthenticatorInfo
    let token: PINUVAuthToken?

    /// Longest list that is sent at once.
    var portion: Int { max(1, info.maxCredentialCountInList ?? 1) }

    /// Credentials whose id the key could have made.
    func possible(_ list: [CTAPCredentialDescriptor]) -> [CTAPCredentialDescriptor] {
        guard let limit = info.maxCredentialIdLength, limit > 0 else { return list }
        return list.filter { $0.id.count <= limit }
    }

    /// The first credential of the list that the key has, under this RP ID.
    func find(
        _ list: [CTAPCredentialDescriptor], rpId: String
    ) async throws(SecurityKeyError) -> CTAPCredentialDescriptor? {
        var rest = possible(list)[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(portion))
            rest = rest.dropFirst(some.count)
            if let found = try await findAtOnce(some, rpId: rpId) { return found }
        }
        return nil
    }

    private func findAtOnce(
        _ list: [CTAPCredentialDescriptor], rpId: String
    ) async throws(SecurityKeyError) -> CTAPCredentialDescriptor? {
        // The signature is discarded, so the signed data must be worthless to others.
        var request = GetAssertionRequest(
            rpId: rpId, clientDataHash: [UInt8](repeating: 0, count: 32))
        request.allowList = list.map { CTAPCredentialDescriptor(id: $0.id) }
        request.options = CTAPOptions(up: false)
        if let token {
            request.pinUvAuthParam = token.authenticate(request.clientDataHash)
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
        }
        let reply: [UInt8]
        do { reply = try await key.send(.getAssertion(request)) } catch {
            switch error {
            case .noCredential: return nil
            // Older keys do not support the option, so there is no result.
            case .unsupported, .denied: return list.count == 1 ? list.first : nil
            default: throw error
            }
        }
        let response = try SecurityKey.read { () throws(CTAPMessageError) in
            try GetAssertionResponse(cbor: reply)
        }
        guard let id = response.credential?.id else { return list.count == 1 ? list[0] : nil }
        guard let found = list.first(where: { $0.id == id }) else {
            throw .untrustworthyReply("a credential that was not asked for")
        }
        return found
    }
}
