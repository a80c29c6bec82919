// SPDX-License-Identifier: Apache-2.0

/// A writer of one JSON object, member by member, without a tree.
///
/// It serves responses that are sent thousands of times a second. Names must be distinct literals
/// and are not escaped.
package struct JSONWriter {
    private var output: [UInt8]
    private var isFirst = true

    /// - Parameter capacity: Expected length in bytes, to allocate once.
    package init(capacity: Int = 512) {
        output = []
        output.reserveCapacity(capacity)
        output.append(UInt8(ascii: "{"))
    }

    package mutating func member(_ name: StaticString, _ value: String) {
        begin(name)
        JSONText.append(value, to: &output)
    }

    package mutating func member(_ name: StaticString, _ value: Int64) {
        begin(name)
        JSONText.append(value, to: &output)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        begin(name)
        JSONText.append(literal: value ? "true" : "false", to: &output)
    }

    package mutating func member(_ name: StaticString, _ values: [String]) {
        begin(name)
        JSONText.append(values, to: &output)
    }

    @_disfavoredOverload
    package mutating func member(_ name: StaticString, _ value: JSONValue) {
        begin(name)
        value.write(to: &output)
    }

    /// Writes the member if there is a value.
    package mutating func member(_ name: StaticString, ifPresent value: String?) {
        if let value { member(name, value) }
    }

    /// A member whose name is known at run time only.
    package mutating func member(named name: String, _ value: JSONValue) {
        separate()
        JSONText.append(name, to: &output)
        output.append(UInt8(ascii: ":"))
        value.write(to: &output)
    }

    /// A string member whose content is ASCII that needs no escape, as a token is.
    package mutating func member(_ name: StaticString, token: [UInt8]) {
        begin(name)
        output.append(UInt8(ascii: "\""))
        output.append(contentsOf: token)
        output.append(UInt8(ascii: "\""))
    }

    /// Closes the object and returns its bytes.
    package consuming func finish() -> [UInt8] {
        output.append(UInt8(ascii: "}"))
        return output
    }

    private mutating func separate() {
        if isFirst { isFirst = false } else { output.append(UInt8(ascii: ",")) }
    }

    private mutating func begin(_ name: StaticString) {
        separate()
        output.append(UInt8(ascii: "\""))
        JSONText.append(literal: name, to: &output)
        output.append(UInt8(ascii: "\""))
        output.append(UInt8(ascii: ":"))
    }
}
