// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What makes authorization requests.
public protocol ASAuthorizationProvider: NSObjectProtocol {}

/// What an authorization results in.
public protocol ASAuthorizationCredential: NSObjectProtocol, NSCopying, NSSecureCoding {}
