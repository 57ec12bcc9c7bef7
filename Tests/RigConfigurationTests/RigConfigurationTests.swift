import RigConfiguration
import RigModel
import Testing

@Suite struct HeadUnitCatalogTests {
    @Test func everyShippedProfileParses() throws {
        #expect(HeadUnitCatalog.shipped.profiles.count == ShippedProfiles.headUnits.count)
        let standard = try HeadUnitCatalog.shipped.profile(named: "standard")
        #expect(standard.displays.map(\.points) == [PixelSize(width: 400, height: 240)])
    }
}
