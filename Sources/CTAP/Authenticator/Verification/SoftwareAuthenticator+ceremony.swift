// SPDX-License-Identifier: Apache-2.0

/// What makeCredential and getAssertion ask of the person before anything else.
struct VerificationRequest {
    let parameter: [UInt8]?
    let pinProtocol: UInt8?
    let clientDataHash: [UInt8]
    let options: CTAPOptions?
    let rpId: String
    let permission: PINPermissions
    let operation: GesturePrompt.Operation
    /// Whether it must be done although nothing in the request asks for it.
    let isRequired: Bool
}

/// How the person was verified.
enum PersonVerification {
    case none
    case byToken
    /// Built-in verification, which takes a touch by itself.
    case byItself

    var isVerified: Bool { self != .none }
}

extension SoftwareAuthenticator {
    /// Verifies the person by token or by built-in means, as CTAP 2.1 sections 6.1.2 and 6.2.2
    /// have it in steps 1 to 11 and 1 to 6.
    func verifyPerson(
        _ request: VerificationRequest
    ) async throws(CTAPStatus) -> PersonVerification {
        if let parameter = request.parameter {
            try verifyToken(
                parameter, over: request.clientDataHash, request.pinProtocol,
                permission: request.permission, rpId: request.rpId)
            return .byToken
        }
        var wantsBuiltIn = request.options?.uv ?? false
        if wantsBuiltIn, !verifiesByItself { throw .invalidOption }
        if request.isRequired, !wantsBuiltIn {
            guard verifiesByItself, state.alwaysVerifies else { throw .pinRequired }
            wantsBuiltIn = true
        }
        guard wantsBuiltIn else { return .none }
        do { try await verifyByItself(request.operation) } catch .uvBlocked {
            throw state.pin == nil ? .operationDenied : .pinRequired
        } catch .uvInvalid {
            throw state.pin == nil ? .operationDenied : .pinRequired
        }
        return .byItself
    }

    /// Whether verification showed presence already, so that nobody is asked twice.
    func showsPresence(_ verification: PersonVerification) -> Bool {
        switch verification {
        case .none: false
        case .byToken: tokenShowsPresence
        case .byItself: true
        }
    }
}
