// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A value that several tasks see: a `Mutex` that a closure within a closure can hold as well.
package final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    package init(_ value: Value) { self.value = Mutex(value) }

    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { body(&$0) }
    }
}
