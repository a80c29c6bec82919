// SPDX-License-Identifier: Apache-2.0

extension SecurityKey {
    /// The maximum number of requests to a key that times out. Without it, a key that times out at
    /// once would keep the client busy.
    private static let touchAttempts = 8

    /// Waits for a touch that agrees to nothing: to choose among keys, or before telling that
    /// there is no credential.
    func waitForTouch(delay: any Delay) async throws(SecurityKeyError) {
        for attempt in 1... {
            do {
                return try await touchOnce(delay: delay)
            } catch {
                guard error == .touchTimedOut, attempt < Self.touchAttempts else { throw error }
            }
        }
    }

    private func touchOnce(delay: any Delay) async throws(SecurityKeyError) {
        guard let info else { return try await touchU2F(delay: delay) }
        if info.isCTAP21 {
            _ = try await send(.selection, limit: Self.gestureLimit)
            return
        }
        // Older keys wait for a touch before they look at an empty pinUvAuthParam (CTAP 2.2
        // section 6.1.2 step 1).
        var request = MakeCredentialRequest(
            clientDataHash: [UInt8](repeating: 0, count: 32),
            rp: CTAPRelyingParty(id: ".dummy", name: ".dummy"),
            user: CTAPUser(id: [1], name: ".dummy", displayName: ".dummy"),
            pubKeyCredParams: [CTAPCredentialParameters(algorithm: -7)])
        request.pinUvAuthParam = []
        request.pinUvAuthProtocol = 1
        do {
            _ = try await send(.makeCredential(request), limit: Self.gestureLimit)
        } catch {
            switch error {
            case .wrongPIN, .pinNotSet, .refused(.pinAuthInvalid): return
            default: throw error
            }
        }
    }
}
