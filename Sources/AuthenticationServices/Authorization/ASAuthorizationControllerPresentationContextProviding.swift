// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The provider of the location of an authorization's user interface.
@MainActor public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    /// Called once before the user interface appears.
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}

/// The location of a user interface. On Apple's systems it is a window; here it is a presenter: by
/// default the controlling terminal of the process.
open class ASPresentationAnchor: NSObject {
    /// The presenter.
    public let presenter: any AuthorizationPresenter

    /// The terminal that controls this process.
    public override init() { presenter = TerminalPresenter() }

    /// - Parameter presenter: a window, a page, a test.
    public init(presenter: any AuthorizationPresenter) { self.presenter = presenter }
}
