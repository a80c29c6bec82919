// SPDX-License-Identifier: Apache-2.0
import Logging
import PlatformSSO
import Primitives
import Storage

extension Refusal {
    /// What a message was refused for. The reason, which may say more, stays here.
    init(_ refusal: PlatformSSORefusal) {
        self.init(refusal.code.rawValue, refusal.code.sentence, reason: refusal.reason)
    }

    static func platformSSO(_ code: PlatformSSORefusal.Code, _ reason: String) -> Refusal {
        Refusal(PlatformSSORefusal(code, reason))
    }

    /// Whether macOS is to ask the person again: that is what 401 means to it, and nothing else
    /// may have that status.
    package var isWrongCredential: Bool {
        code == UserFacingRefusal.invalidCredentials.rawValue
            || PlatformSSORefusal.Code(rawValue: code)?.status == 401
    }

    /// Whether the same request may be granted later.
    package var isTemporary: Bool {
        [UserFacingRefusal.busy, .tooManyAttempts].contains { $0.rawValue == code }
            || PlatformSSORefusal.Code(rawValue: code)?.status == 503
    }
}

extension Result where Failure == CeremonyRefusal {
    static func refused(
        _ code: PlatformSSORefusal.Code, because reason: String,
        person: Identifier<Person>? = nil
    ) -> Self {
        .failure(CeremonyRefusal(.platformSSO(code, reason), person: person))
    }
}

extension CeremonyContext {
    /// The reason, which whoever was refused is not told.
    ///
    /// - Parameter what: what was refused, in words.
    func log(_ refusal: Refusal, of what: String) {
        provider.log.info(
            "\(what) refused",
            metadata: [
                "code": "\(refusal.code)", "reason": "\(refusal.reason)",
                "request_id": "\(facts.requestID)",
            ])
    }
}
