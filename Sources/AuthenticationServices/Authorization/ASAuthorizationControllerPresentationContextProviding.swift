// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Says where an authorization is shown.
@MainActor public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    /// Asked once, before anything is shown.
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}

/// Where something is shown. On Apple's systems it is a window; here it is whoever shows: by
/// default the terminal that controls the process.
open class ASPresentationAnchor: NSObject {
    /// Who shows.
    public let presenter: any AuthorizationPresenter

    /// The terminal that controls this process.
    public override init() { presenter = TerminalPresenter() }

    /// - Parameter presenter: a window, a page, a test.
    public init(presenter: any AuthorizationPresenter) { self.presenter = presenter }
}
