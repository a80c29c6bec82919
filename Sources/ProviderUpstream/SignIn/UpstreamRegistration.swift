// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import ProviderSettings
import Storage

/// Creates an account at the first sign-in of a person of an upstream provider.
struct UpstreamRegistration: CredentialRegistrationCeremony {
    private let vouched: VerifiedUpstreamIdentity

    init(_ vouched: VerifiedUpstreamIdentity) { self.vouched = vouched }

    var action: String { "registration.federated" }

    func consume(
        _ message: Void, _ context: CeremonyContext
    ) async throws -> Result<VerifiedUpstreamIdentity, CeremonyRefusal> {
        // The sign-in has consumed the transaction. Only the attempt limit of the IP address
        // remains.
        if let declined = try await AttemptCounter(context: context).countRequest() {
            return .failure(declined)
        }
        return .success(vouched)
    }

    func prove(
        _ vouched: VerifiedUpstreamIdentity, _ context: CeremonyContext
    ) async throws -> Result<[Person], CeremonyRefusal> {
        let mapping = ClaimMapping(vouched.provider.settings)
        var claims = mapping.profile(of: vouched.claims)
        if let email = claims.email, claims.emailVerified == true,
            try await context.store.people.person(verifiedEmail: email, in: context.project) != nil
        {
            // Another person has this verified address. An address with two owners would identify
            // neither.
            claims.emailVerified = false
        }
        claims.updatedAt = context.now.seconds
        // The username at the provider, or else the subject, or else the identifier of the person.
        // All are in the realm of the provider and distinct from local usernames.
        let names = [mapping.username(in: vouched.claims), UserName.canonical(vouched.subject)]
        let id: Identifier<Person> = context.newIdentifier()
        let people = (names.compactMap(\.self) + [id.description]).map { name in
            Person(
                id: id, project: context.project, username: name, realm: vouched.realm,
                claims: claims, createdAt: context.now, origin: "federated")
        }
        return .success(people)
    }

    func decide(_ people: [Person], _ context: CeremonyContext) async throws -> CeremonyRefusal? {
        guard vouched.provider.settings.createsPeople else {
            return CeremonyRefusal(
                UserFacingRefusal.upstreamUnknown.refusal(
                    because: "the provider does not create accounts"))
        }
        return nil
    }

    func commit(
        _ people: [Person], _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        for person in people {
            let link = vouched.link(of: person.id, in: context)
            switch try await context.store.people.create(person, with: [link]) {
            case .created:
                return .success(
                    RegistrationBinding(
                        person: person, credential: link, factor: vouched.factor(with: link),
                        notice: nil))
            case .usernameTaken: continue
            case .credentialTaken:
                return .refused(.ceremonyExpired, because: "registered in the same moment")
            }
        }
        return .refused(.usernameTaken, because: "every name is taken")
    }
}
