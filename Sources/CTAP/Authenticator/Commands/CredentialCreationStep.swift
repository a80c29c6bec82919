// SPDX-License-Identifier: Apache-2.0
import Primitives
import WebAuthn

/// Creates the credential of makeCredential: discoverable in the state, else inside its own id.
struct CredentialCreationStep {
    let request: MakeCredentialRequest
    let rpIdHash: [UInt8]
    let algorithm: COSEAlgorithm
    let protection: CredentialProtection

    func run(
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> AuthenticatorCredential {
        let chosen: COSEAlgorithm =
            machine.configuration.misbehaviour.contains(.otherAlgorithm)
            ? (algorithm == .edDSA ? .es256 : .edDSA) : algorithm
        let key = try Self.newKey(chosen, machine)
        var credential = AuthenticatorCredential(
            id: machine.random.bytes(32), rpIdHash: rpIdHash, key: key, protection: protection,
            thirdPartyPayment: request.extensions?.thirdPartyPayment ?? false)
        if request.options?.rk == true {
            try save(&credential, &machine)
        } else {
            credential.id = try machine.wrapping.id(for: credential, random: machine.random)
        }
        return credential
    }

    /// Returns a new key of the hardware, or of software if there is none.
    private static func newKey(
        _ algorithm: COSEAlgorithm, _ machine: AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialPrivateKey {
        if let hardware = machine.hardware {
            do { return .hardware(try hardware.makeKey()) } catch { throw .other }
        }
        guard let key = CredentialPrivateKey(algorithm, random: machine.random) else {
            throw .other
        }
        return key
    }

    /// Saves a discoverable credential. It replaces an older one of the same account (step 15).
    private func save(
        _ credential: inout AuthenticatorCredential, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) {
        credential.discoverable = discoverable(machine)
        let account = machine.state.credentials.firstIndex {
            $0.rpIdHash == rpIdHash && $0.discoverable?.user.id == request.user.id
        }
        guard account != nil || machine.remainingCredentials > 0 else { throw .keyStoreFull }
        let (saved, storeState) = (credential, machine.random.bytes(16))
        try machine.commit {
            if let account { $0.credentials.remove(at: account) }
            $0.credentials.append(saved)
            $0.nextOrder += 1
            $0.credentialStoreState = storeState
        }
    }

    private func discoverable(
        _ machine: AuthenticatorMachine
    ) -> AuthenticatorCredential.Discoverable {
        var blob = request.extensions?.credBlob ?? []
        if blob.count > machine.configuration.maximumCredentialBlob { blob = [] }
        let hasLargeBlobKey = request.extensions?.largeBlobKey ?? false
        return AuthenticatorCredential.Discoverable(
            rp: request.rp, user: request.user, order: machine.state.nextOrder, blob: blob,
            largeBlobKey: hasLargeBlobKey ? machine.random.bytes(32) : nil)
    }
}
