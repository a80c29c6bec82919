// SPDX-License-Identifier: Apache-2.0
public import Foundation

// The names by which code written for Apple's systems passes data to `SecKey`. There they are Core
// Foundation's; here they are Foundation's values, so `data as CFData` and `result as Data?` compile
// in both places.

/// Bytes.
public typealias CFData = Data
/// Text.
public typealias CFString = String
/// Names with values.
public typealias CFDictionary = [AnyHashable: Any]
/// An error that is handed out through a pointer.
public typealias CFError = NSError
/// Zero, or what went wrong.
public typealias OSStatus = Int32

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The memory allocator, which is always the default here.
public final class CFAllocator: Sendable {}

/// Success.
public let errSecSuccess: OSStatus = 0
/// A parameter was not right.
public let errSecParam: OSStatus = -50
