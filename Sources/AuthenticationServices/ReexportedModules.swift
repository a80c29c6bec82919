// SPDX-License-Identifier: Apache-2.0

// Apple's module brings these along, so code that imports it alone compiles here too.
@_exported public import Foundation

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
