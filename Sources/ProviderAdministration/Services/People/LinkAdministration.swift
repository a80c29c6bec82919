// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
package import ProviderPeople
import Storage

/// The one-time links of the people of a project: invitations and recovery links.
package struct LinkAdministration: Sendable {
    private let scope: AdministrativeScope
    private let context: CeremonyContext

    package init(_ scope: AdministrativeScope, notices: any NotificationComposer) {
        self.scope = scope
        context = scope.ceremony(notices)
    }

    /// How long a link is active.
    package enum Lifetime: Sendable {
        case standard
        /// `nil` if the message has no whole number.
        case seconds(Int64?)

        /// The time span, or `nil` if it is outside the range.
        fileprivate func span(in range: ClosedRange<Int64>, standard: TimeSpan) -> TimeSpan? {
            switch self {
            case .standard: standard
            case .seconds(let asked): asked.flatMap { range.contains($0) ? .seconds($0) : nil }
            }
        }
    }

    // MARK: Invitations

    /// Invites a person who has no credential.
    package func invite(
        _ name: String, lifetime: Lifetime, byMail: Bool
    ) async throws -> AdministrativeResult<Invitation.Sent> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        let span = lifetime.span(
            in: Invitation.lifetimes, standard: Invitation.defaultLifetime)
        guard let span else { return .failure(.invalidLifetime(Invitation.lifetimes)) }
        let sent = try await Invitation(context).send(to: person, lifetime: span, byMail: byMail)
        guard let sent else {
            return .failure(
                .conflict(
                    "not_invitable",
                    "The person is disabled, or has a sign-in method; create a recovery link "
                        + "instead."))
        }
        return .success(sent)
    }

    package func withdrawInvitation(of name: String) async throws -> AdministrativeResult<Void> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        return try await Invitation(context).withdraw(from: person)
            ? .success(()) : .failure(.unknown("invitation"))
    }

    // MARK: Recovery links

    package func openReRegistration(
        of name: String, lifetime: Lifetime
    ) async throws -> AdministrativeResult<(url: String, expiresAt: Timestamp)> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        let span = lifetime.span(
            in: ReRegistration.lifetimes, standard: ReRegistration.defaultLifetime)
        guard let span else { return .failure(.invalidLifetime(ReRegistration.lifetimes)) }
        return .success(try await ReRegistration(context).open(for: person, lifetime: span))
    }

    package func closeReRegistration(of name: String) async throws -> AdministrativeResult<Void> {
        guard let person = try await scope.person(name) else { return .failure(.unknown("person")) }
        return try await ReRegistration(context).close(for: person)
            ? .success(()) : .failure(.unknown("link"))
    }
}

extension AdministrativeRefusal {
    fileprivate static func invalidLifetime(
        _ range: ClosedRange<Int64>
    ) -> AdministrativeRefusal {
        .invalid(
            "invalid_lifetime",
            "lifetime must be a number of seconds from \(range.lowerBound) to \(range.upperBound).")
    }
}
