import RigModel
import Testing

@testable import RigCore

@Suite struct ActionBufferTests {
    @Test func itKeepsItsMemoryFromTurnToTurn() {
        var buffer = ActionBuffer()
        for number in 0..<1_000 {
            let index = buffer.append(Event.mark(1))
            #expect(index == number)
            buffer.append(.deliver(event: index, to: ClientID(1), tell: false))
        }
        let capacities = (buffer.events.capacity, buffer.actions.capacity)
        buffer.removeAll()
        #expect(buffer.events.isEmpty && buffer.actions.isEmpty)
        #expect((buffer.events.capacity, buffer.actions.capacity) == capacities)
    }

    @Test func itGivesTheMemoryOfABurstBack() {
        var buffer = ActionBuffer()
        for _ in 0...ActionBuffer.keptCapacity {
            _ = buffer.append(Event.mark(1))
            buffer.append(.deliver(event: 0, to: ClientID(1), tell: false))
        }
        buffer.removeAll()
        #expect(buffer.events.capacity <= ActionBuffer.keptCapacity)
        #expect(buffer.actions.capacity <= ActionBuffer.keptCapacity)
    }

    @Test func whatIsInItAlreadyIsLeftAlone() {
        // Whoever feeds several events before performing the actions finds each turn's events behind those before.
        var core = RigCore(settings: CoreSettings())
        var buffer = ActionBuffer()
        let client = ClientID(1)
        core.handle(.clientConnected(client, ClientCredentials(pid: 1, uid: 1, gid: 1)), at: 0, into: &buffer)
        core.handle(.clientCalled(client, .subscribe(.everything)), at: 0, into: &buffer)
        let reason = Reason("overflow", .local, "")
        for _ in 1...3 { core.handle(.resynchronized(reason), at: 0, into: &buffer) }
        #expect(buffer.events.map(\.sequence) == [1, 2, 3])
        #expect(
            buffer.actions.suffix(3) == (0..<3).map { .deliver(event: $0, to: client, tell: false) })
    }
}
