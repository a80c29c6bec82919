// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
    import AuthenticationServices

    /// The executable that is the extension. On Apple's systems the bundle's Info.plist does this.
    @main struct SSOExtension {
        static func main() async {
            await ASAuthorizationProviderExtensionMain { RegistrationHandler() }
        }
    }
#endif
