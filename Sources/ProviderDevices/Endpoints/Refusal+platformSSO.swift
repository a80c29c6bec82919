// SPDX-License-Identifier: Apache-2.0
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
    /// Records a refusal of an unauthenticated sender.
    func refuseStranger(_ refusal: Refusal, _ action: String) async throws -> Refusal {
        try await refuse(CeremonyRefusal(refusal, isStranger: true), action)
    }
}
