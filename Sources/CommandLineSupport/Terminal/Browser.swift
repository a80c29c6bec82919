// SPDX-License-Identifier: Apache-2.0
import Platform

/// The browser of the person at this terminal.
package enum Browser {
    #if canImport(Darwin)
        private static let opener = "open"
    #else
        private static let opener = "xdg-open"
    #endif

    /// Whether there is a screen for one: on Linux, a display or a configured browser.
    package static var isPresent: Bool {
        #if canImport(Darwin)
            true
        #else
            let environment = ProcessEnvironment.all
            return ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains {
                environment[$0]?.isEmpty == false
            }
        #endif
    }

    /// Asks the desktop to open the page. The address is one argument; no shell reads it.
    package static func open(_ address: String) -> Bool {
        (try? Subprocess.startSilently("/usr/bin/env", [opener, address])) != nil
    }
}
