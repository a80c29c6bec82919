// SPDX-License-Identifier: Apache-2.0
public import Foundation
import SSOExtensions
import SingleSignOn

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes an executable an extension: call it in `main`. It returns never.
///
///     @main struct Extension {
///         static func main() async {
///             await ASAuthorizationProviderExtensionMain { AuthenticationViewController() }
///         }
///     }
///
/// The principal implements ``ASAuthorizationProviderExtensionRegistrationHandler``,
/// ``ASAuthorizationProviderExtensionAuthorizationRequestHandler`` or both. On Apple's systems the
/// bundle names its class.
@MainActor public func ASAuthorizationProviderExtensionMain(
    _ makePrincipal: @MainActor () -> any NSObjectProtocol
) async -> Never {
    guard let socket = ExtensionRuntime.inheritedSocket else {
        ExtensionWarning.write("the agent starts extensions; there is nothing to do by hand.")
        exit(2)
    }
    // Core dumps could make an extension's memory readable for others.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    do {
        let ending = try await ExtensionRuntime(descriptor: socket)
            .run(HandlerPrincipal(makePrincipal()))
        exit(ending == .stopped ? 0 : 1)
    } catch {
        ExtensionWarning.write("no thread: \(error)")
        exit(1)
    }
}
