// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The authenticators that a program works with: all that are connected, or the one at a path.
package enum ConnectedAuthenticators {
    /// - Parameter path: a hidraw device, a pseudo-terminal or a Unix socket that is meant and
    ///   no other; `nil` or empty for everything on USB and NFC.
    package static func source(
        path: String?, random: some RandomSource
    ) -> any AuthenticatorSource {
        guard let path, !path.isEmpty else {
            return CombinedAuthenticators([HIDRawDevices(random: random), PCSCReaders()])
        }
        let kind: AuthenticatorDescription.Kind = path.hasPrefix("/dev/hidraw") ? .usb : .stream
        return FixedAuthenticators([HIDDevice(path: path, kind: kind, random: random)])
    }
}
