// SPDX-License-Identifier: Apache-2.0

/// Why a file is no profile of this machine.
enum ProfileFileError: Error, Sendable {
    case unreadable, exposed, tooLarge, notFolder

    var reason: String {
        switch self {
        case .unreadable: "it cannot be read"
        case .exposed: "others than root can write it, or own it"
        case .tooLarge: "it is larger than a megabyte"
        case .notFolder: "profiles for one account belong in a directory of its name"
        }
    }
}
