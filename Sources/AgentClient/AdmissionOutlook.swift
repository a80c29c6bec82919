// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What would be asked for at a place: now, and while the provider is away.
package struct AdmissionOutlook: Sendable, Equatable {
    package var place: AdmissionPoint
    package var demand: AdmissionDemand
    /// The proof that would let the person in offline; `nil` for none.
    package var offline: AdmissionProof?
    package var offlineUntil: Timestamp?
    /// Why there is none.
    package var refusal: AdmissionRefusal?

    package init(place: AdmissionPoint, demand: AdmissionDemand) {
        self.place = place
        self.demand = demand
    }
}

/// What a profile asks for at one place.
package enum AdmissionDemand: String, Sendable, Hashable, CaseIterable {
    /// No policy: the local password first, the provider where it differs.
    case local
    /// `AttemptAuthentication`: the provider first, the local password while it is away.
    case attempt
    /// `RequireAuthentication`: the provider, and nothing else but what is allowed besides.
    case require
}

/// The proof that admits a person.
package enum AdmissionProof: String, Sendable, Hashable {
    case provider
    case localPassword = "local_password"
    /// The local password, while the provider is away.
    case offlineGrace = "offline_grace"
    /// The local password of an account that is not registered yet.
    case authenticationGrace = "authentication_grace"
    case presence
}

/// Why a person is not admitted.
package enum AdmissionRefusal: String, Sendable, Hashable, CaseIterable {
    case wrongPassword = "wrong_password"
    /// The provider has to accept the password, and is away or gives no verdict.
    case providerNeeded = "provider_needed"
    /// The `OfflineGracePeriod` has expired.
    case offlineGraceOver = "offline_grace_over"
    /// A wrong password was typed while the provider was there: only it can say that this is right.
    case loginOwed = "login_owed"
    /// The account has to be registered at the provider.
    case registrationNeeded = "registration_needed"
    /// The `AuthenticationGracePeriod` has expired.
    case authenticationGraceOver = "authentication_grace_over"
    case presenceNeeded = "presence_needed"
    /// The clock was set back, so that the time that has passed is unknown.
    case clockSetBack = "clock_set_back"
}
