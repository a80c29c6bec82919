// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Libraries that are loaded while the process runs (dlopen(3)). They are never unloaded.
package enum SharedLibrary {
    package struct LoadError: Error, Sendable {
        package let description: String
    }

    /// Loads a library and returns the address of a symbol in it.
    package static func symbol(
        _ name: String, in path: String
    ) throws(LoadError) -> UnsafeMutableRawPointer {
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL), let symbol = dlsym(library, name)
        else { throw LoadError(description: dlerror().map { String(cString: $0) } ?? path) }
        return symbol
    }
}
