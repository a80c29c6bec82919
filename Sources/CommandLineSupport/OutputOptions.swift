// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `--json`, for every command that prints data.
package struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    package var json = false

    package init() {}
}
