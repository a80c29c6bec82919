// SPDX-License-Identifier: Apache-2.0
import Logging
import PlatformSSO
import Primitives
import ProviderCore
import Storage

extension Refusal {
    /// Converts the refusal of a message. The reason is private.
    init(_ refusal: PlatformSSORefusal) {
        self.init(refusal.code.rawValue, refusal.code.sentence, reason: refusal.reason)
    }

    static func platformSSO(_ code: PlatformSSORefusal.Code, _ reason: String) -> Refusal {
        Refusal(PlatformSSORefusal(code, reason))
    }

    /// Whether macOS must prompt the person again. macOS does so for 401, so other refusals must
    /// not have this status.
    package var isWrongCredential: Bool {
        code == UserFacingRefusal.invalidCredentials.rawValue
            || PlatformSSORefusal.Code(rawValue: code)?.status == 401
    }

    /// Whether the same request may succeed later.
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
    /// Logs the private reason of a refusal.
    ///
    /// - Parameter what: the name of the request.
    func log(_ refusal: Refusal, of what: String) {
        provider.log.info(
            "\(what) refused",
            metadata: [
                "code": "\(refusal.code)", "reason": "\(refusal.reason)",
                "request_id": "\(facts.requestID)",
            ])
    }
}
