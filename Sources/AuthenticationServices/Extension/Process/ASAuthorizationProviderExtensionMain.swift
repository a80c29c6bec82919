// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Platform
import SSOExtensions

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes an executable an extension: call it in `main`. It never returns.
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
        CurrentProcess.exit(2)
    }
    CurrentProcess.forbidCoreDumps()
    do {
        let ending = try await ExtensionRuntime(descriptor: socket)
            .run(HandlerPrincipal(makePrincipal()))
        CurrentProcess.exit(ending == .stopped ? 0 : 1)
    } catch {
        ExtensionWarning.write("no thread: \(error)")
        CurrentProcess.exit(1)
    }
}
