import DashrigClient
import Testing

@Suite struct SocketDirectoryTests {
    @Test func theArgumentGoesBeforeTheVariableAndThatBeforeTheStandard() {
        #expect(SocketDirectory(argument: "/a", variable: "/b").path == "/a")
        #expect(SocketDirectory(argument: nil, variable: "/b").path == "/b")
        #expect(SocketDirectory(argument: "", variable: "").path == "/run/dashrig")
        #expect(SocketDirectory(argument: nil, variable: nil).path == "/run/dashrig")
    }

    @Test func socketsAreNamedForTheirInterfaces() {
        #expect(SocketDirectory("/run/x").socket(.rig) == "/run/x/org.dashrig.Rig")
        #expect(SocketDirectory("/run/x/").socket(.app) == "/run/x/org.dashrig.App")
    }
}
