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

    /// A code of one use: by mail, or from the drawer.
    static func code(at time: Timestamp) -> Self {
        AuthenticationFactor(
            at: time, methods: ["otp"], contextClass: ContextClass.password.rawValue)
    }

    /// A key that has just signed.
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
