// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// An account for somebody whom an upstream provider has just vouched for and nobody knew: made in
/// the moment in which they first sign in.
struct UpstreamRegistration: CredentialRegistrationCeremony {
    private let vouched: VerifiedUpstreamIdentity

    init(_ vouched: VerifiedUpstreamIdentity) { self.vouched = vouched }

    var action: String { "registration.federated" }

    func challenge(
        _ context: CeremonyContext
    ) async throws -> Result<VerifiedUpstreamIdentity, CeremonyRefusal> {
        // The attempt has been used up by the sign-in; what is left to count is the address.
        if let declined = try await AttemptCounter(context: context).countRequest() {
            return .failure(declined)
        }
        return .success(vouched)
    }

    func evidence(
        _ vouched: VerifiedUpstreamIdentity, _ context: CeremonyContext
    ) async throws -> Result<[Person], CeremonyRefusal> {
        let mapping = ClaimMapping(vouched.provider.settings)
        var claims = mapping.profile(of: vouched.claims)
        if let email = claims.email, claims.emailVerified == true,
            try await context.store.person(verifiedEmail: email, in: context.project) != nil
        {
            // Somebody here has that mailbox already. Two owners would leave it to neither.
            claims.emailVerified = false
        }
        claims.updatedAt = context.now.seconds
        // The name by which the provider calls them, when nobody has it; else the one that is theirs
        // alone. Both within the provider's realm: neither is a name of this place.
        let names = [mapping.username(in: vouched.claims), UserName.canonical(vouched.subject)]
        let id: Identifier<Person> = context.newIdentifier()
        let people = (names.compactMap(\.self) + [id.description]).map { name in
            Person(
                id: id, project: context.project, username: name, realm: vouched.realm,
                claims: claims, createdAt: context.now, origin: "federated")
        }
        return .success(people)
    }

    func policy(_ people: [Person], _ context: CeremonyContext) async throws -> CeremonyRefusal? {
        guard vouched.provider.settings.createsPeople else {
            return CeremonyRefusal(
                UserFacingRefusal.upstreamUnknown.refusal(because: "makes nobody"))
        }
        return nil
    }

    func bind(
        _ people: [Person], _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        for person in people {
            let link = vouched.link(of: person.id, in: context)
            switch try await context.store.create(person, with: [link]) {
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
