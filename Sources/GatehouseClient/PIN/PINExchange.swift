// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN

/// The requests of the PIN protocol over HTTP, and the verification of the provider's responses.
struct PINExchange: Sendable {
    let connection: ProviderConnection
    let binding: PINBinding

    func freshNonce() async throws -> (nonce: PINNonce, policy: PINPolicy?) {
        let challenge = try await connection.post("pin_challenge", nil, in: .authentication)
        guard let nonce = challenge["nonce"]?.string.flatMap({ PINNonce(text: $0) }) else {
            throw ProviderConnection.invalid("the nonce for a PIN cannot be parsed")
        }
        return (nonce, PINChallengePolicy(challenge["pin"])?.policy)
    }

    /// Sends a message, and returns the response, also a refusal.
    func ask(_ message: [UInt8]) async throws -> PINResponse {
        let url = try await connection.address("pin", in: .authentication)
        let body: JSONValue = ["request": .string(String(decoding: message, as: UTF8.self))]
        var request = ResourceRequest(url, method: "POST", body: body.bytes)
        request.set("content-type", "application/json")
        let answer = try await sendAgainWhenLost(request)
        guard let read = PINResponse(json: answer.body) else {
            throw ProviderErrorMapping.error(answer, in: .authentication)
        }
        return read
    }

    /// Sends the same bytes again after a lost response: the provider repeats its response.
    private func sendAgainWhenLost(_ request: ResourceRequest) async throws -> ResourceResponse {
        do {
            return try await connection.send(request, in: .authentication)
        } catch {
            guard error.code == .notReachable else { throw error }
        }
        return try await connection.send(request, in: .authentication)
    }

    // MARK: The provider's key for proofs

    /// Returns the key to which proofs are sealed. Without one, no proof is sent: an attacker who
    /// removes version 2 from the provider's documents stops the sign-in and learns nothing.
    ///
    /// - Parameter isNewest: Whether to fetch the keys, because the known one was refused.
    func proofKey(isNewest: Bool = false) async throws -> PINProofPublicKey {
        if !isNewest, let key = PINProofPublicKey(in: try await connection.knownDocuments().keySet)
        {
            return key
        }
        guard let key = PINProofPublicKey(in: try await connection.fetch().keySet) else {
            throw IdentityError(
                .authentication, .methodNotSupported,
                "the provider does not support version 2 of the PIN protocol")
        }
        return key
    }

    // MARK: The provider's signed word

    func delivery(_ answer: PINResponse, _ nonce: PINNonce) async throws -> VerifiedPINDelivery {
        guard case .delivery(let statement) = answer else { throw await unwanted(answer) }
        return try await verified {
            (verifier) throws(PINStatementError) in
            try verifier.delivery(statement, answering: nonce)
        }
    }

    func version(_ answer: PINResponse, _ nonce: PINNonce) async throws -> VerifiedPINVersion {
        guard case .version(let statement) = answer else { throw await unwanted(answer) }
        return try await verified {
            (verifier) throws(PINStatementError) in
            try verifier.version(statement, answering: nonce)
        }
    }

    private func verified<Value: Sendable>(
        _ body: (PINStatementVerifier) throws(PINStatementError) -> Value
    ) async throws -> Value {
        let known = try await connection.knownDocuments()
        do {
            return try body(PINStatementVerifier(keys: known.keySet, binding: binding))
        } catch .unverifiable {
            // Signed with a key that is newer than what is known.
            let newest = try await connection.fetch()
            return try body(PINStatementVerifier(keys: newest.keySet, binding: binding))
        }
    }

    /// The error for an answer that ends it. A signed end is stored before it is thrown.
    func unwanted(_ answer: PINResponse) async -> any Error {
        guard case .ended(let statement) = answer else {
            return IdentityError(
                .authentication, .notAuthorized, "the provider responded \(answer.code)",
                serverCode: answer.code)
        }
        do {
            let ending = try await verified {
                (verifier) throws(PINStatementError) in try verifier.ending(statement)
            }
            return ProfileEnded(
                code: ending.ending == .profileLocked ? .profileLocked : .deviceRevoked)
        } catch {
            // Not signed: it changes nothing here.
            return IdentityError(
                .authentication, .notAuthorized, "the signature of the termination is not valid",
                underlying: error)
        }
    }
}

/// The provider has ended the profile and signed that it has: now it is wiped here.
struct ProfileEnded: Error {
    let code: IdentityError.Code
}

/// The PIN policy in a challenge.
struct PINChallengePolicy: Sendable {
    let isRequired: Bool
    let policy: PINPolicy

    /// `nil` where there are none.
    init?(_ value: JSONValue?) {
        guard let use = value?["use"]?.string, use != "off",
            let policy = value?["policy"].flatMap({ DevicePINPolicy($0) })
        else { return nil }
        isRequired = use == "required"
        self.policy = PINPolicy(policy)
    }
}
