import RigModel
import Testing

@testable import DeviceMonitor

@Suite struct DeviceInventoryTests {
    private typealias Harness = InventoryHarness

    // MARK: Plain lives

    @Test func aPlugIsAddedOnceAndRemovedOnce() {
        let harness = Harness.running()
        for round in 1...20 {
            harness.send(.add, Harness.usb(UInt16(round + 1)))
            #expect(harness.changes.isEmpty, "nothing is said before the attributes were read")
            harness.settle()
            harness.send(.remove, Harness.usb(UInt16(round + 1)))
            #expect(harness.takeChanges() == ["+\(round)", "-\(round) removed"])
        }
        #expect(harness.inventory.nextDeadline == nil)
        #expect(harness.inventory.reported.isEmpty)
    }

    @Test func theSnapshotHoldsWhatTheMessageAndTheAttributesSay() throws {
        let harness = Harness.running()
        harness.send(.add, Harness.usb(2, initialized: 77))
        harness.settle()
        guard case .added(let device) = try #require(harness.changes.first) else {
            Issue.record("not added")
            return
        }
        #expect(device.syspath == Harness.port)
        #expect(device.node == "/dev/bus/usb/001/2")
        #expect(device.access == .granted)
        #expect(
            device.identity
                == InstanceIdentity(
                    usbAddress: USBAddress(bus: 1, device: 2), deviceNumber: DeviceNumber(major: 189, minor: 1),
                    initialized: 77))
        #expect(device.properties["PRODUCT"] == "5ac/12a8/1006")
        #expect(device.properties["ACTION"] == nil)
        #expect(device.usb?.vendor == 0x05AC)
        #expect(device.input == nil)
    }

    /// The events of one plug in every order; whatever it is, the device is added once.
    @Test func everyOrderOfEventsAddsOnce() {
        let steps: [UeventAction] = [.add, .bind, .change, .bind]
        for order in permutations(steps) {
            for answered in 0...order.count {
                let harness = Harness.running()
                for (index, action) in order.enumerated() {
                    harness.send(action, Harness.usb())
                    if index == answered { harness.settle() }
                }
                harness.settle()
                let changes = harness.takeChanges()
                #expect(changes.filter { $0 == "+1" }.count == 1, "\(order) answered after \(answered)")
                #expect(changes.first == "+1", "\(order) answered after \(answered)")
                #expect(changes.allSatisfy { $0 == "+1" || $0 == "bound1" }, "\(order): \(changes)")
                harness.send(.unbind, Harness.usb())
                harness.settle()
                harness.send(.remove, Harness.usb())
                #expect(harness.takeChanges() == ["unbound1", "-1 removed"])
            }
        }
    }

    /// Every order of five events including the end: after `remove` nothing is there, whatever comes before it.
    @Test func everyOrderWithARemoveEndsAsItsLastWordSays() {
        let steps: [UeventAction] = [.add, .bind, .change, .unbind, .remove]
        for order in permutations(steps) {
            let harness = Harness.running()
            for action in order {
                harness.send(action, Harness.usb())
                harness.settle()
            }
            var live = 0
            for change in harness.takeChanges() {
                if change.hasPrefix("+") { live += 1 }
                if change.hasPrefix("-") { live -= 1 }
                #expect(live == 0 || live == 1, "\(order)")
            }
            let after = order[(order.lastIndex(of: .remove) ?? 0)...].dropFirst()
            let returned = after.contains { $0 == .add || $0 == .bind || $0 == .change }
            #expect(live == (returned ? 1 : 0), "\(order)")
        }
    }

    @Test func eventsDuringTheFirstLookMakeOneMoreAndNoSecondAdd() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        for _ in 0..<50 {
            harness.send(.bind, Harness.usb())
            harness.send(.change, Harness.usb())
            harness.send(.add, Harness.interface())
        }
        #expect(harness.probes.count == 1)
        harness.answer()
        #expect(harness.probes.count == 1)
        harness.settle()
        #expect(harness.takeChanges() == ["+1"])
    }

    @Test func unbindIsNotARemoval() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        harness.settle()
        harness.send(.unbind, Harness.usb())
        harness.settle()
        #expect(harness.takeChanges() == ["+1", "unbound1"])
        #expect(harness.inventory.reported.count == 1)
    }

    @Test func anUnbindOfAStrangerIsNothing() {
        let harness = Harness.running()
        harness.send(.unbind, Harness.usb())
        harness.send(.remove, Harness.usb())
        #expect(harness.probes.isEmpty)
        #expect(harness.changes.isEmpty)
    }

    @Test func aChangeWithoutADifferenceIsNotTold() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        harness.settle()
        harness.send(.change, Harness.usb())
        harness.settle()
        #expect(harness.takeChanges() == ["+1"])
        harness.send(.change, Harness.usb(more: [("ID_MODEL", "iPhone")]))
        harness.settle()
        #expect(harness.takeChanges() == ["~1"])
    }

    @Test func anInterfaceMakesItsDeviceBeLookedAtAgain() {
        let harness = Harness.running()
        harness.send(.add, Harness.interface())
        #expect(harness.probes.isEmpty, "its device is not known")
        harness.send(.add, Harness.usb())
        harness.answer(.read(Harness.reading(Harness.usb(), missing: [.configuration])))
        #expect(harness.takeChanges() == [])
        harness.send(.add, Harness.interface())
        harness.settle()
        #expect(harness.takeChanges() == ["+1"])
        for action: UeventAction in [.unbind, .remove] { harness.send(action, Harness.interface()) }
        #expect(harness.probes.isEmpty)
    }

    @Test func aRemoveWhileItIsLookedAtIsSilent() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        harness.send(.remove, Harness.usb())
        harness.answer()
        #expect(harness.takeChanges() == [])
        #expect(harness.inventory.pending.isEmpty)
    }

    // MARK: Listings

    @Test func aDeviceThatIsThereAtStartIsFoundOnce() {
        for eventFirst in [true, false] {
            for answerBetween in [true, false] {
                let harness = Harness()
                harness.start()
                #expect(harness.listings == [nil])
                if eventFirst {
                    harness.send(.add, Harness.usb(2, initialized: 5))
                    if answerBetween { harness.settle() }
                    harness.list([Harness.usb(2), Harness.input()])
                } else {
                    harness.list([Harness.usb(2), Harness.input()])
                    if answerBetween { harness.settle() }
                    harness.send(.add, Harness.usb(2, initialized: 5))
                }
                harness.settle()
                let changes = harness.takeChanges()
                #expect(changes.filter { $0.hasPrefix("+") }.count == 2)
                #expect(!changes.contains { $0.hasPrefix("-") })
                #expect(changes.filter { $0 == "enumerated" }.count == 1)
            }
        }
    }

    @Test func aRemoveSeenBeforeTheListingWins() {
        let harness = Harness()
        harness.start()
        harness.send(.remove, Harness.usb(2))
        harness.list([Harness.usb(2), Harness.input()])
        harness.settle()
        #expect(harness.takeChanges() == ["enumerated", "+1"])
        #expect(harness.inventory.reported.map(\.category) == [.inputNode])
    }

    @Test func aRemoveSeenAfterTheListingWins() {
        let harness = Harness()
        harness.start()
        harness.list([Harness.usb(2)])
        harness.send(.remove, Harness.usb(2))
        harness.settle()
        #expect(harness.takeChanges() == ["enumerated"])
    }

    @Test func theRemoveOfAnEarlierPlugDoesNotTakeTheNextOne() {
        let harness = Harness()
        harness.start()
        harness.send(.remove, Harness.usb(2))
        harness.list([Harness.usb(3)])
        harness.settle()
        harness.send(.remove, Harness.usb(2))
        harness.send(.add, Harness.usb(3))
        harness.settle()
        #expect(harness.takeChanges() == ["enumerated", "+1"])
    }

    @Test func anEventThatIsNewerThanTheListingIsNotUndoneByIt() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb(2))
        harness.settle()
        harness.now += 1_000_000_000
        harness.lose(.overflow)
        // While the listing is made, the device is replugged and another one comes.
        harness.send(.remove, Harness.usb(2))
        harness.send(.add, Harness.usb(3))
        harness.send(.add, Harness.input())
        harness.list([Harness.usb(2)])
        harness.settle()
        #expect(harness.takeChanges() == ["+1", "-1 removed", "resynchronized overflow", "+2", "+3"])
    }

    @Test func aListingThatIsOlderThanAnEventDoesNotBringTheOldPlugBack() {
        let harness = Harness.running()
        harness.now += 1_000_000_000
        harness.lose(.overflow)
        harness.send(.add, Harness.usb(3))
        harness.list([Harness.usb(2)])
        harness.settle()
        #expect(harness.takeChanges() == ["resynchronized overflow", "+1"])
        #expect(harness.inventory.reported.first?.identity.usbAddress?.device == 3)
    }

    // MARK: Replugs that were half seen

    @Test func anotherNumberAtTheSamePathIsAnotherPlug() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb(2))
        harness.settle()
        harness.send(.add, Harness.usb(3))
        harness.settle()
        #expect(harness.takeChanges() == ["+1", "-1 replaced", "+2"])
        harness.send(.remove, Harness.usb(2))
        #expect(harness.takeChanges() == [])
        harness.send(.remove, Harness.usb(3))
        #expect(harness.takeChanges() == ["-2 removed"])
    }

    @Test func theSameNumberAtAnotherTimeIsAnotherPlug() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb(2, initialized: 10))
        harness.settle()
        harness.send(.add, Harness.usb(2, initialized: 10))
        harness.settle()
        #expect(harness.takeChanges() == ["+1"])
        harness.send(.add, Harness.usb(2, initialized: 20))
        harness.settle()
        #expect(harness.takeChanges() == ["-1 replaced", "+2"])
        harness.send(.add, Harness.usb(2, initialized: 10))
        harness.send(.change, Harness.usb(9, initialized: 10))
        harness.settle()
        #expect(harness.takeChanges() == [], "events older than the plug are stale")
    }

    @Test func anotherNodeNumberIsAnotherInputDevice() {
        let harness = Harness.running()
        harness.send(.add, Harness.input(71))
        harness.settle()
        harness.send(.change, Harness.input(72))
        harness.settle()
        #expect(harness.takeChanges() == ["+1", "-1 replaced", "+2"])
    }

    // MARK: Lost events

    @Test func aRescanFindsWhatDiffers() {
        let harness = Harness.running()
        let other = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-2"
        harness.send(.add, Harness.usb(2))
        harness.send(.add, Harness.usb(4, syspath: other))
        harness.send(.add, Harness.input())
        harness.settle()
        _ = harness.takeChanges()
        harness.now += 1_000_000_000
        harness.lose(.overflow)
        #expect(harness.listings.last == .overflow)
        // One replugged, one gone, one unchanged, one new.
        let third = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-3"
        harness.list([Harness.usb(7), Harness.usb(5, syspath: third), Harness.input(), Harness.interface()])
        harness.settle()
        #expect(
            harness.takeChanges() == [
                "resynchronized overflow", "-1 replaced", "-2 vanished", "+4", "+5",
            ])
        #expect(harness.inventory.reported.map(\.instance) == [4, 5, 3])
    }

    @Test func rescansKeepTheirDistance() {
        let harness = Harness.running()
        harness.lose(.overflow)
        for _ in 0..<100 { harness.lose(.overflow) }
        #expect(harness.listings.count == 1, "the first listing is a moment old")
        #expect(harness.inventory.nextDeadline == 1_100_000_000)
        #expect(harness.advance())
        #expect(harness.listings == [nil, .overflow])
        harness.lose(.receiveFailed(5))
        harness.list([])
        #expect(harness.takeChanges() == ["resynchronized overflow"])
        #expect(harness.advance())
        #expect(harness.listings == [nil, .overflow, .receiveFailed(5)])
        harness.list([])
        #expect(harness.takeChanges() == ["resynchronized receiveFailed(5)"])
        #expect(harness.inventory.nextDeadline == nil)
    }

    @Test func aListingThatFailsIsTriedAgainLaterAndLater() {
        let harness = Harness()
        harness.start()
        var waits: [UInt64] = []
        for _ in 0..<10 {
            harness.inventory.enumerationFailed(now: harness.now)
            let before = harness.now
            #expect(harness.advance())
            waits.append((harness.now - before) / 1_000_000)
        }
        #expect(waits == [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000])
        harness.list([Harness.usb()])
        harness.settle()
        #expect(harness.takeChanges() == ["enumerated", "+1"])
    }

    // MARK: Incomplete devices

    @Test(arguments: MissingPart.allCases)
    func anIncompleteDeviceIsLookedAtAgainUntilItIsWhole(part: MissingPart) {
        for whole in [1, 2, 4, 8] {
            let harness = Harness.running()
            harness.send(.add, Harness.usb())
            var looks = 1
            while looks < whole {
                harness.answer(.read(Harness.reading(Harness.usb(), missing: [part])))
                if harness.probes.isEmpty && !harness.advance() { break }
                looks += 1
                if part == .configuration && harness.now >= 2_000_000_000 { break }
            }
            harness.settle()
            #expect(harness.takeChanges().filter { $0.hasPrefix("+") } == ["+1"], "\(whole) looks")
            #expect(harness.inventory.nextDeadline == nil)
        }
    }

    @Test func theWaitsDoubleUpToTenSecondsAndEndAfterFiveMinutes() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        let start = harness.now
        var waits: [UInt64] = []
        while true {
            harness.answer(.read(Harness.reading(Harness.usb(), missing: [.access])))
            let before = harness.now
            guard harness.advance() else { break }
            waits.append((harness.now - before) / 1_000_000)
        }
        #expect(waits.prefix(10) == [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000])
        #expect(waits.dropFirst(8).allSatisfy { $0 == 10_000 })
        #expect(harness.now - start >= 300_000_000_000 && harness.now - start < 311_000_000_000)
        #expect(harness.takeChanges() == ["incomplete1 access"])
        #expect(harness.inventory.pending.map(\.missing) == [[.access]])
        // The next event is a new start.
        harness.send(.change, Harness.usb())
        harness.answer(.read(Harness.reading(Harness.usb(), missing: [.access])))
        #expect(harness.inventory.nextDeadline == harness.now + 50_000_000)
        harness.send(.bind, Harness.usb())
        harness.settle()
        #expect(harness.takeChanges() == ["+1"])
        #expect(harness.inventory.pending.isEmpty)
    }

    @Test func aConfigurationIsWaitedForOneSecondOnly() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        let start = harness.now
        while harness.changes.isEmpty {
            harness.answer(.read(Harness.reading(Harness.usb(), missing: [.configuration])))
            if harness.changes.isEmpty && !harness.advance() { break }
        }
        #expect(harness.now - start == 1_000_000_000)
        #expect(harness.takeChanges() == ["+1"])
        harness.send(.add, Harness.interface())
        harness.settle()
        #expect(harness.takeChanges() == ["~1"])
    }

    @Test func aDeviceNobodyWantsIsNeitherReportedNorWaitedFor() {
        let harness = Harness.running(relevance: { _ in .ignored })
        harness.send(.add, Harness.usb())
        harness.answer(.read(Harness.reading(Harness.usb(), missing: [.access])))
        #expect(harness.inventory.nextDeadline == nil)
        harness.send(.bind, Harness.usb())
        harness.settle()
        harness.send(.remove, Harness.usb())
        #expect(harness.takeChanges() == [])
    }

    @Test func otherRulesBringOutWhatWasIgnored() {
        let harness = Harness.running(relevance: { _ in .ignored })
        harness.send(.add, Harness.usb())
        harness.settle()
        #expect(harness.takeChanges() == [])
        harness.now += 1_000_000_000
        harness.judge(by: { _ in .reported })
        harness.list([Harness.usb()])
        harness.settle()
        #expect(harness.takeChanges() == ["resynchronized requested", "+1"])
        harness.now += 1_000_000_000
        harness.judge(by: { _ in .ignored })
        harness.list([Harness.usb()])
        harness.settle()
        #expect(harness.takeChanges() == ["resynchronized requested"])
        harness.send(.remove, Harness.usb())
        #expect(harness.takeChanges() == ["-1 removed"])
    }

    @Test func permissionsAreNotWaitedForWhereTheyDoNotMatter() {
        let harness = Harness.running(relevance: { _ in .reported })
        harness.send(.add, Harness.usb())
        harness.answer(.read(Harness.reading(Harness.usb(), missing: [.access])))
        guard case .added(let device) = harness.changes.first else {
            Issue.record("not added")
            return
        }
        #expect(device.access == .denied)
        #expect(harness.inventory.nextDeadline == nil)
    }

    @Test func whatWasReportedIsNotTakenBackForItsPermissions() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        harness.settle()
        harness.send(.change, Harness.usb())
        harness.answer(.read(Harness.reading(Harness.usb(), missing: [.access])))
        #expect(harness.takeChanges() == ["+1", "~1"])
        #expect(harness.inventory.nextDeadline == nil)
    }

    // MARK: Drivers that hang, paths that go

    @Test func aLookThatDoesNotReturnMakesTheDeviceStuckUntilItGoes() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        harness.answer(.abandoned)
        guard case .stuck(let device) = harness.changes.first else {
            Issue.record("not stuck")
            return
        }
        #expect(device.usb?.vendor == 0x05AC, "the ids come from the message")
        for action: UeventAction in [.add, .bind, .change, .unbind] { harness.send(action, Harness.usb()) }
        harness.send(.add, Harness.interface())
        #expect(harness.probes.isEmpty)
        harness.send(.remove, Harness.usb())
        #expect(harness.takeChanges() == ["stuck1", "-1 removed"])
    }

    @Test func aStuckDeviceThatIsRepluggedIsNewAgain() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb(2))
        harness.settle()
        harness.send(.change, Harness.usb(2))
        harness.answer(.abandoned)
        harness.send(.add, Harness.usb(3))
        harness.settle()
        #expect(harness.takeChanges() == ["+1", "stuck1", "-1 replaced", "+2"])
    }

    @Test func aRefusedLookIsRepeated() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        harness.answer(.refused)
        #expect(harness.inventory.nextDeadline == harness.now + 50_000_000)
        #expect(harness.advance())
        harness.settle()
        #expect(harness.takeChanges() == ["+1"])
    }

    @Test func aPathThatGoesWithoutAWordIsGoneAfterTwoSeconds() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        harness.settle()
        harness.send(.change, Harness.usb())
        let start = harness.now
        harness.answer(.gone)
        while harness.advance() {
            #expect(harness.inventory.reported.count == 1)
            harness.answer(.gone)
        }
        #expect(harness.now - start >= 2_000_000_000 && harness.now - start < 4_000_000_000)
        #expect(harness.takeChanges() == ["+1", "-1 vanished"])
    }

    @Test func anEventThatComesWhileAPathIsAwayGivesItOneMoreLook() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        harness.settle()
        harness.send(.change, Harness.usb())
        harness.answer(.gone)
        harness.now += 5_000_000_000
        #expect(harness.advance())
        harness.send(.change, Harness.usb())
        harness.answer(.gone)
        harness.settle()
        #expect(harness.takeChanges() == ["+1"])
    }

    @Test func aDeviceNobodyWantsIsNotToldWhenItsDriverHangs() {
        let harness = Harness.running(relevance: { _ in .ignored })
        harness.send(.add, Harness.usb())
        harness.answer(.abandoned)
        harness.send(.remove, Harness.usb())
        #expect(harness.takeChanges() == [])
    }

    @Test func aPathThatComesBackIsStillThere() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        harness.answer(.gone)
        #expect(harness.advance())
        harness.settle()
        harness.now += 60_000_000_000
        harness.send(.change, Harness.usb())
        harness.answer(.gone)
        #expect(harness.advance())
        harness.settle()
        #expect(harness.takeChanges() == ["+1"])
    }

    @Test func answersNobodyWaitsForAreIgnored() {
        let harness = Harness.running()
        harness.send(.add, Harness.usb())
        let old = harness.probes
        harness.send(.remove, Harness.usb())
        harness.send(.add, Harness.usb(3))
        harness.probes = old + harness.probes
        harness.answer(.abandoned)
        harness.settle()
        #expect(harness.takeChanges() == ["+2"])
    }
}

/// Every order of a few things.
func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    if elements.count < 2 { return [elements] }
    return elements.indices.flatMap { index in
        var rest = elements
        let first = rest.remove(at: index)
        return permutations(rest).map { [first] + $0 }
    }
}
