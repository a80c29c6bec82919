// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import Storage
import WebAuthn

extension AuthenticationFactor {
    static func password(_ credential: Identifier<Credential>?, at time: Timestamp) -> Self {
        AuthenticationFactor(
            at: time, methods: ["pwd"], contextClass: ContextClass.password.rawValue,
            credential: credential)
    }

    /// A single-use code: a code of an email, or a recovery code.
    static func code(at time: Timestamp) -> Self {
        AuthenticationFactor(
            at: time, methods: ["otp"], contextClass: ContextClass.password.rawValue)
    }

    /// A signature with a WebAuthn credential.
    static func key(
        _ credential: Identifier<Credential>, _ facts: CredentialProperties,
        flags: (isPresent: Bool, isVerified: Bool), trusting evidence: HardwareEvidence,
        at time: Timestamp
    ) -> Self {
        AuthenticationFactor(
            at: time,
            methods: facts.methods(
                isUserPresent: flags.isPresent, isUserVerified: flags.isVerified),
            contextClass: facts.context(isUserVerified: flags.isVerified, trusting: evidence)
                .rawValue,
            credential: credential)
    }
}
