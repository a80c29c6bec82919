// SPDX-License-Identifier: Apache-2.0

/// The result of a part of a command: its value, or the gesture that must come first.
enum CommandProgress<Value> {
    case finished(Value)
    case gesture(GestureRequest)
}
