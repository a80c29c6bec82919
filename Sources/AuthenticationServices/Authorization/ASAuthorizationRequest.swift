// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The base of all authorization requests. Providers make them.
open class ASAuthorizationRequest: NSObject {
    let source: any ASAuthorizationProvider & Sendable

    /// The provider that made the request.
    public var provider: any ASAuthorizationProvider { source }

    init(source: any ASAuthorizationProvider & Sendable) { self.source = source }

    /// The request as it stands now, as a value; `nil` for a kind that nothing here can serve.
    var prepared: PreparedRequest? { nil }
}
