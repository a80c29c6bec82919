// SPDX-License-Identifier: Apache-2.0
/// The app around the extension. It does nothing: macOS finds an extension by the app that carries it.
@main struct Carrier {
    static func main() { print("This app carries a single sign-on extension.") }
}
