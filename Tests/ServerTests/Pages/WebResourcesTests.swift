// SPDX-License-Identifier: Apache-2.0
import Testing
import WebPages

@Suite struct WebResourcesTests {
    @Test("a program without the folder of the pages names the folder, and does not stop abruptly")
    func missing() {
        let error = #expect(throws: WebResources.LoadError.self) {
            try WebResources(path: "/nowhere")
        }
        #expect(
            error?.description
                == "the files of the pages are missing: /nowhere/templates. "
                + "Install the folder of the pages next to the program")
    }
}
