// SPDX-License-Identifier: Apache-2.0
import OAuth
import Storage

/// What the tokens of a grant say of how its person signed in: `amr` (RFC 8176) and `acr`. Decided
/// when the grant was given; a refresh says the same.
struct GrantedContext: Sendable {
    let methods: [String]
    let contextClass: String

    init(_ grant: Grant) {
        methods = grant.authenticationMethods.split(separator: " ").map(String.init)
        // Grants of older versions of the program have methods only.
        contextClass =
            grant.contextClass.isEmpty
            ? ContextClass.of(methods: methods).rawValue : grant.contextClass
    }
}
