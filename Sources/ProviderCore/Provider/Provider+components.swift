// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The caches that modules above this one attach to a provider, one of each type.
final class ProviderComponents: Sendable {
    private class Slot {
        let type: ObjectIdentifier

        init(_ type: ObjectIdentifier) { self.type = type }
    }

    private final class TypedSlot<Component: Sendable>: Slot {
        let component: Component

        init(_ component: Component) {
            self.component = component
            super.init(ObjectIdentifier(Component.self))
        }
    }

    /// Requests look components up at the same time, so a lookup is short: there are few slots, and a cast to a class
    /// is faster than a cast of an existential.
    private let slots = Mutex<[Slot]>([])

    func value<Component: Sendable>(_ make: () -> Component) -> Component {
        slots.withLock { slots in
            let type = ObjectIdentifier(Component.self)
            let slot = slots.first { $0.type == type } as? TypedSlot<Component>
            if let slot { return slot.component }
            let made = make()
            slots.append(TypedSlot(made))
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
