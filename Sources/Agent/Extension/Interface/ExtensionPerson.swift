// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PlatformSSO

/// What an extension is told of a person.
package struct ExtensionPerson: Sendable, Equatable {
    package var isRegistered: Bool
    package var loginUserName: String?
    /// What was saved of them last.
    package var configuration: UserLoginConfiguration?
    package var tokens: JSONObject?
    /// The identity of the person since their first sign-in; extensions in separate processes do
    /// not receive it.
    package var identity: LoginIdentity?
}
