// SPDX-License-Identifier: Apache-2.0

/// Who asks, and in what situation: what decides whether a matching extension is asked at all.
package struct SSORequest: Sendable, Equatable {
    /// The app that asks.
    package var callerBundleIdentifier: String
    package var isScreenLocked: Bool
    /// Whether the extension may show something.
    package var isUserInterfaceEnabled: Bool
    /// Whether it comes from a session that goes on without its app.
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

/// What becomes of a request that an extension could serve.
package enum SSODecision: Sendable, Equatable {
    case askExtension
    /// As if there were no extension.
    case ordinaryPath
    case cancel
}

extension SSOConfiguration {
    package func decision(on request: SSORequest) -> SSODecision {
        if deniedBundleIdentifiers?.contains(request.callerBundleIdentifier) == true {
            return .ordinaryPath
        }
        // What shows nothing, and what nobody sees, goes on behind a locked screen.
        guard request.isScreenLocked, request.isUserInterfaceEnabled, !request.isBackground else {
            return .askExtension
        }
        return screenLockedBehavior == .doNotHandle ? .ordinaryPath : .cancel
    }
}
