// SPDX-License-Identifier: Apache-2.0
import OAuth
package import Storage

/// The `amr` (RFC 8176) and `acr` values for the tokens of a grant. They are fixed when the grant
/// is issued, so a refresh does not change them.
package struct GrantedContext: Sendable {
    package let methods: [String]
    package let contextClass: String

    package init(_ grant: Grant) {
        methods = grant.authenticationMethods.split(separator: " ").map(String.init)
        // Grants of earlier versions contain only methods.
        contextClass =
            grant.contextClass.isEmpty
            ? ContextClass.of(methods: methods).rawValue : grant.contextClass
    }
}
