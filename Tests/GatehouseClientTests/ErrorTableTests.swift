// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import Testing

/// What the errors of the older SDKs are here.
@Suite("Errors") struct ErrorTableTests {
    @Test("Within a domain every legacy number stands once, and is on its side of 10,000")
    func numbers() {
        let places = LegacyError.all.map { "\($0.domain.rawValue) \($0.number)" }
        #expect(Set(places).count == places.count && places.count == 67)
        for error in LegacyError.all {
            #expect((9000..<11_000).contains(error.number))
            #expect(error.audience == (error.number < 10_000 ? .user : .developer))
        }
    }

    @Test("An error says the number that its domain has for it, or the generic one")
    func legacyCode() {
        let cases: [(IdentityError.Domain, IdentityError.Code, Int?)] = [
            (.authentication, .wrongPIN, 9009), (.generic, .deviceRevoked, 9002),
            (.authentication, .profileLocked, 9003), (.registration, .notReachable, 9000),
            (.pinValidation, .pinSequence, 9012), (.pinChange, .notSignedIn, 9010),
            (.resource, .notSignedIn, 9010), (.registration, .identityProviderInvalid, 10020),
            (.authentication, .authenticatorNotRegistered, 10007), (.generic, .clockWrong, 9031),
            (.registration, .pinRequired, nil), (.signOut, .challengeAlreadyAnswered, nil),
            (.authentication, .notSignedIn, 9010), (.registration, .requestInvalid, 10015),
            (.resource, .requestInvalid, 10010),
        ]
        for (domain, code, number) in cases {
            #expect(IdentityError.made(domain, code).legacyCode == number)
        }
    }

    @Test("Whatever has a code here says a number that its own domain has for that code")
    func everyCode() throws {
        for error in LegacyError.all {
            guard let code = error.code else { continue }
            let said = try #require(IdentityError.made(error.domain, code).legacyCode)
            #expect(
                LegacyError.all.contains {
                    $0.domain == error.domain && $0.number == said && $0.code == code
                })
        }
    }

    @Test("Every error of the Sudo User SDK has a code here, or a reason in docs/parity.md")
    func sudo() {
        #expect(SudoError.allCases.count == 22)
        let none = SudoError.allCases.filter { $0.code == nil }
        #expect(
            Set(none) == [
                .alreadySignedIn, .registerOperationAlreadyInProgress,
                .refreshTokensOperationAlreadyInProgress, .signInOperationAlreadyInProgress,
                .noAuthenticationProvider, .identityNotConfirmed, .externalSSOSessionExists,
            ])
    }

    @Test("Codes advise: what comes back is worth waiting for, what is refused is not")
    func advice() {
        #expect(IdentityError.made(.generic, .notReachable).retry == .later)
        #expect(IdentityError.made(.authentication, .wrongPIN).retry == .withOtherInput)
        #expect(IdentityError.made(.resource, .notSignedIn).retry == .afterSignIn)
        #expect(IdentityError.made(.generic, .profileLocked).retry == .never)
        #expect(IdentityError.made(.generic, .configurationInvalid).audience == .developer)
        #expect(IdentityError.made(.generic, .profileLocked).audience == .user)
    }

    @Test("Equality is of domain and code; the reason is for the log")
    func equality() {
        #expect(
            IdentityError(.generic, .unknown, "a") == IdentityError(.generic, .unknown, "b"))
        #expect(IdentityError.made(.generic, .unknown) != IdentityError.made(.resource, .unknown))
        #expect("\(IdentityError(.signOut, .unknown, "because"))" == "signOut.unknown: because")
    }
}

extension IdentityError {
    static func made(_ domain: Domain, _ code: Code) -> IdentityError {
        IdentityError(domain, code, "made by a test")
    }
}
