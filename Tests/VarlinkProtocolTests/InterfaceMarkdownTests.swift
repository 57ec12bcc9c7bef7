import Testing
import VarlinkProtocol

@Suite struct InterfaceMarkdownTests {
    @Test func rendersEveryKindOfMember() throws {
        let text = """
            # What it is.
            interface a.b
            type Colour (red, green)
            type Box (
              # In mm | not inches,
              # always.
              size: (w: int, h: ?int),
              tags: ?[string](),
              more: [string][]Box
            )
            # Opens.
            method Open(box: ?Box) -> ()
            error Stuck (since: int)
            """
        #expect(
            try InterfaceDescription(parsing: text).markdown() == """
                # a.b

                What it is.

                ## Methods

                ### Open

                Opens.

                | Parameters | Type | |
                | --- | --- | --- |
                | `box` | optional [Box](#box) |  |

                Reply: none

                ## Types

                ### Colour

                One of: `red`, `green`

                ### Box

                | Fields | Type | |
                | --- | --- | --- |
                | `size` | struct | In mm \\| not inches, always. |
                | `size.w` | `int` |  |
                | `size.h` | optional `int` |  |
                | `tags` | optional set of strings |  |
                | `more` | map of string to array of [Box](#box) |  |

                ## Errors

                ### Stuck

                | Fields | Type | |
                | --- | --- | --- |
                | `since` | `int` |  |

                """)
    }
}
