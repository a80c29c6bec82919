// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// developer.apple.com/documentation/localauthentication/lacontext
public import Foundation

open class LAContext: NSObject {}
