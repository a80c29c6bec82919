// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The caches that modules above this one attach to a provider, one of each type.
final class ProviderComponents: Sendable {
    private let components = Mutex<[ObjectIdentifier: any Sendable]>([:])

    func value<Component: Sendable>(_ make: () -> Component) -> Component {
        components.withLock { components in
            let type = ObjectIdentifier(Component.self)
            if let found = components[type] as? Component { return found }
            let made = make()
            components[type] = made
            return made
        }
    }
}

extension Provider {
    /// The component of this type. `make` creates it at its first use; it must not access another
    /// component. Two properties of one type would share it.
    ///
    /// A module that caches data for each provider declares a property of ``Provider`` that calls
    /// this.
    package func component<Component: Sendable>(_ make: () -> Component) -> Component {
        components.value(make)
    }
}
