// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A value that several threads read and change, member by member: what Apple's classes with many
/// properties are made of here.
final class SharedValue<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    var whole: Value {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }

    subscript<Member: Sendable>(path: any WritableKeyPath<Value, Member> & Sendable) -> Member {
        get { value.withLock { $0[keyPath: path] } }
        set { value.withLock { $0[keyPath: path] = newValue } }
    }
}
