// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The base of all authorization requests. Providers make them.
open class ASAuthorizationRequest: NSObject {
    let source: any ASAuthorizationProvider & Sendable

    /// The provider that made the request.
    public var provider: any ASAuthorizationProvider { source }

    init(source: any ASAuthorizationProvider & Sendable) { self.source = source }

    /// The current state of the request as a value; `nil` for an unsupported kind.
    var prepared: PreparedRequest? { nil }
}
