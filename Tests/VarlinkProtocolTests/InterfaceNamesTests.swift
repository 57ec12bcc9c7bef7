import Testing
import VarlinkProtocol

@Suite struct InterfaceNamesTests {
    @Test(arguments: ["io.ex-ample.foo2", "io.1x", "IO.X", "a.b", "org.varlink.service", "a--b.c", "a.1-2.c3"])
    func interfaceNames(_ name: String) throws {
        #expect(InterfaceNames.isInterface(name))
        #expect(try InterfaceDescription(parsing: "interface \(name)").name == name)
    }

    @Test(arguments: [
        "foo", "io..x", "1io.x", "io.x-", "io.x_y", "", ".", "a.", ".a", "-a.b", "a-.b", "a.-b", "é.x", "a b.c",
        "a.b\n",
    ])
    func refusedInterfaceNames(_ name: String) {
        #expect(!InterfaceNames.isInterface(name))
    }

    @Test(arguments: ["foo", "io..x", "1io.x", "io.x-", "io.x_y", ".a", "a-.b"])
    func refusedInterfaceNamesInText(_ name: String) {
        let error = #expect(throws: InterfaceError.self) { try InterfaceDescription(parsing: "interface \(name)") }
        #expect(error?.kind == .invalidName(name, .interface))
        #expect(error?.column == 11)
    }

    @Test(arguments: ["A", "Foo", "F00", "FOO"]) func memberNames(_ name: String) {
        #expect(InterfaceNames.isMember(name))
    }

    @Test(arguments: ["", "foo", "1A", "A_b", "A-b", "A.b", "É", "Aé"]) func refusedMemberNames(_ name: String) {
        #expect(!InterfaceNames.isMember(name))
    }

    @Test(arguments: ["a", "A", "type", "view_area", "a1_2", "interface", "bool"]) func fieldNames(_ name: String)
        throws
    {
        #expect(InterfaceNames.isField(name))
        #expect(throws: Never.self) { try InterfaceDescription(parsing: "interface a.b\ntype T (\(name): int)") }
        #expect(throws: Never.self) { try InterfaceDescription(parsing: "interface a.b\ntype T (\(name), other)") }
    }

    @Test(arguments: ["a__b", "_a", "a_", "1a", "a-b", "a.b"]) func refusedFieldNames(_ name: String) {
        #expect(!InterfaceNames.isField(name))
        let error = #expect(throws: InterfaceError.self) {
            try InterfaceDescription(parsing: "interface a.b\ntype T (\(name): int)")
        }
        #expect(error?.kind == .invalidName(name, .field))
        #expect(error?.line == 2)
        #expect(error?.column == 9)
    }

    @Test func fullNamesAreCutAtTheLastDot() throws {
        let parts = try #require(InterfaceNames.split("a.b.C"))
        #expect(parts.interface == "a.b")
        #expect(parts.member == "C")
        for name in ["", "C", ".", ".C", "a.b."] { #expect(InterfaceNames.split(name) == nil) }
    }
}
