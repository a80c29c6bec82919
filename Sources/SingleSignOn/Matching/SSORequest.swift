// SPDX-License-Identifier: Apache-2.0

/// The caller and the situation of a request, which decide whether a matching extension is used.
package struct SSORequest: Sendable, Equatable {
    /// The requesting app.
    package var callerBundleIdentifier: String
    package var isScreenLocked: Bool
    /// Whether the extension may display something.
    package var isUserInterfaceEnabled: Bool
    /// Whether it belongs to a background session.
    package var isBackground: Bool

    package init(
        callerBundleIdentifier: String, isScreenLocked: Bool = false,
        isUserInterfaceEnabled: Bool = true, isBackground: Bool = false
    ) {
        self.callerBundleIdentifier = callerBundleIdentifier
        self.isScreenLocked = isScreenLocked
        self.isUserInterfaceEnabled = isUserInterfaceEnabled
        self.isBackground = isBackground
    }
}

/// The decision about a request that an extension could handle.
package enum SSODecision: Sendable, Equatable {
    case askExtension
    /// Continue without the extension.
    case ordinaryPath
    case cancel
}

extension SSOConfiguration {
    package func decision(on request: SSORequest) -> SSODecision {
        if deniedBundleIdentifiers?.contains(request.callerBundleIdentifier) == true {
            return .ordinaryPath
        }
        // A request without user interface, or in the background, continues behind a locked screen.
        guard request.isScreenLocked, request.isUserInterfaceEnabled, !request.isBackground else {
            return .askExtension
        }
        return screenLockedBehavior == .doNotHandle ? .ordinaryPath : .cancel
    }
}
