// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE

struct StateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Print the schema and the keys of state files.",
        discussion: "Example: gatehouse state schema > state.schema.json",
        subcommands: [Schema.self, Keys.self])

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the JSON Schema of state files.",
            discussion: "Example: gatehouse state schema > state.schema.json")

        func run() { print(StateSchema.document.text) }
    }

    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys",
            abstract: "Print every key of state files as a table, with its default.",
            discussion: "Example: gatehouse state keys | less")

        @OptionGroup var output: OutputOptions

        func run() {
            if output.json { return print(StateSchema.list.text) }
            print(StateSchema.table, terminator: "")
        }
    }
}
