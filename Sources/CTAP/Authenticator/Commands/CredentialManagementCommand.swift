// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// `authenticatorCredentialManagement` (CTAP 2.1 section 6.8).
struct CredentialManagementCommand {
    private let request: CredentialManagementRequest
    private let preview: Bool

    init(_ request: CredentialManagementRequest, preview: Bool) {
        (self.request, self.preview) = (request, preview)
    }

    func run(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        try machine.configuration.validate(preview: preview)
        switch request.subcommand {
        case .getCredsMetadata: return try metadata(&machine)
        case .enumerateRPsBegin: return try firstRelyingParty(&machine)
        case .enumerateRPsGetNextRP: return try Self.nextRelyingParty(&machine)
        case .enumerateCredentialsBegin: return try firstCredential(&machine)
        case .enumerateCredentialsGetNextCredential: return try Self.nextCredential(&machine)
        case .deleteCredential: return try delete(&machine)
        case .updateUserInformation: return try update(&machine)
        }
    }

    // MARK: Permission

    /// Verifies the token. A persistent token also permits reading (CTAP 2.2).
    ///
    /// - Parameter rpIdHash: The relying party that a bound token must be bound to; `nil` if the
    ///   request concerns all of them, which a bound token does not permit.
    private func verifyToken(
        reads: Bool, rpIdHash: [UInt8]?, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) {
        guard let parameter = request.pinUvAuthParam else { throw .pinRequired }
        let number = try PINProtocol(requested: request.pinUvAuthProtocol)
        let message = request.authenticatedBytes
        if reads, let saved = machine.state.persistentToken,
            let token = try? PINUVAuthToken(number, decrypted: saved),
            token.verify(message, parameter)
        {
            return
        }
        try machine.verifyToken(
            parameter, over: message, request.pinUvAuthProtocol, permission: .credentialManagement)
        guard let bound = machine.session.token?.rpId else { return }
        guard rpIdHash == Array(SHA256.hash(data: Array(bound.utf8))) else {
            throw .pinAuthInvalid
        }
    }

    // MARK: Queries

    private func metadata(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        try verifyToken(reads: true, rpIdHash: nil, &machine)
        var response = CredentialManagementResponse()
        response.existingResidentCredentialsCount = machine.state.credentials.count
        response.maxPossibleRemainingResidentCredentialsCount = machine.remainingCredentials
        return response
    }

    private func firstRelyingParty(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        try verifyToken(reads: true, rpIdHash: nil, &machine)
        var parties: [CTAPRelyingParty] = []
        for rp in machine.state.credentials.compactMap({ $0.discoverable?.rp })
        where !parties.contains(where: { $0.id == rp.id }) {
            parties.append(rp)
        }
        guard !parties.isEmpty else { throw .noCredentials }
        machine.session.relyingParties = parties
        var response = try Self.nextRelyingParty(&machine)
        response.totalRPs = parties.count
        return response
    }

    private static func nextRelyingParty(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        guard let rp = machine.session.relyingParties?.first else { throw .notAllowed }
        machine.session.relyingParties?.removeFirst()
        var response = CredentialManagementResponse()
        response.rp = rp
        response.rpIDHash = Array(SHA256.hash(data: Array(rp.id.utf8)))
        return response
    }

    private func firstCredential(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        guard request.pinUvAuthParam != nil else { throw .pinRequired }
        guard let rpIdHash = request.rpIDHash else { throw .missingParameter }
        try verifyToken(reads: true, rpIdHash: rpIdHash, &machine)
        let found = machine.state.credentials.filter { $0.rpIdHash == rpIdHash }
        guard !found.isEmpty else { throw .noCredentials }
        machine.session.credentials = found
        var response = try Self.nextCredential(&machine)
        response.totalCredentials = found.count
        return response
    }

    private static func nextCredential(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        guard let credential = machine.session.credentials?.first else { throw .notAllowed }
        machine.session.credentials?.removeFirst()
        var response = CredentialManagementResponse()
        response.user = credential.discoverable?.user
        response.credentialID = credential.descriptor
        response.publicKey = credential.key.publicKey
        response.credProtect = credential.protection.rawValue
        response.largeBlobKey = credential.discoverable?.largeBlobKey
        response.thirdPartyPayment = credential.thirdPartyPayment
        return response
    }

    // MARK: Changes

    /// Returns the index of the credential that the request names, after the token is verified.
    private func index(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> Int {
        guard request.pinUvAuthParam != nil else { throw .pinRequired }
        guard let descriptor = request.credentialID else { throw .missingParameter }
        let index = machine.state.credentials.firstIndex { $0.id == descriptor.id }
        try verifyToken(
            reads: false, rpIdHash: index.map { machine.state.credentials[$0].rpIdHash }, &machine)
        guard let index else { throw .noCredentials }
        return index
    }

    private func delete(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        let index = try index(&machine)
        let storeState = machine.random.bytes(16)
        try machine.commit {
            $0.credentials.remove(at: index)
            $0.credentialStoreState = storeState
        }
        return CredentialManagementResponse()
    }

    private func update(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialManagementResponse {
        guard request.pinUvAuthParam == nil || request.user != nil else {
            throw .missingParameter
        }
        let index = try index(&machine)
        guard let user = request.user,
            machine.state.credentials[index].discoverable?.user.id == user.id
        else { throw .invalidParameter }
        let storeState = machine.random.bytes(16)
        try machine.commit {
            $0.credentials[index].discoverable?.user = user
            $0.credentialStoreState = storeState
        }
        return CredentialManagementResponse()
    }
}
