// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A factory of authorization requests.
public protocol ASAuthorizationProvider: NSObjectProtocol {}

/// The result of an authorization.
public protocol ASAuthorizationCredential: NSObjectProtocol, NSCopying, NSSecureCoding {}
