// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// Helpers for endpoints that create or withdraw one-time links.
extension AdminRequest {
    /// Returns the person that the call names and a `Link` service of the project. Returns `nil` if
    /// the project or the person does not exist.
    func links<Link: OneTimeLink>(
        _ kind: Link.Type, _ provider: Provider, _ notices: any NotificationComposer
    ) async throws -> (Person, Link)? {
        guard let tenant = try await provider.tenant(named: self[parameter: "project"]),
            let person = try await provider.person(of: self)
        else { return nil }
        let context = CeremonyContext(
            provider: provider, tenant: tenant, facts: facts, writer: notices)
        return (person, Link(context))
    }

    /// How long a link works: `nil` if the body has no number of seconds in that range.
    func lifetime(in range: ClosedRange<Int64>, otherwise usual: TimeSpan) -> TimeSpan? {
        guard let asked = body["lifetime"] else { return usual }
        return asked.integer.flatMap { range.contains($0) ? .seconds($0) : nil }
    }
}

extension AdminResponse {
    static func invalidLifetime(_ range: ClosedRange<Int64>) -> AdminResponse {
        .refused(
            .unprocessableContent, code: "invalid_lifetime",
            "lifetime must be a number of seconds from \(range.lowerBound) to \(range.upperBound).")
    }
}
