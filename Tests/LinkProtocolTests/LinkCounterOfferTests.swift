import LinkProtocol
import Testing
import WireBytes

@Suite("LinkMachine: proposals that are not taken")
struct LinkCounterOfferTests {
    typealias Change = @Sendable (inout LinkSynchronization) -> Void

    static func accessory(_ parameters: LinkParameters = .accessory, sequence: UInt8 = 0) -> LinkEnd {
        var end = LinkEnd(.accessory, parameters, sequence: sequence)
        end.start()
        end.receive(LinkDetection.bytes)
        return end
    }

    static func device(_ parameters: LinkParameters = .device) -> LinkEnd {
        var end = LinkEnd(.device, parameters, sequence: 0x2D)
        end.start()
        end.receive(LinkDetection.bytes)
        return end
    }

    static func answer(_ sequence: UInt8, to: UInt8, _ value: LinkSynchronization) -> LinkPacket {
        synchronization([.synchronize, .acknowledge], sequence: sequence, acknowledgement: to, value)
    }

    static func offer(_ sequence: UInt8, _ value: LinkSynchronization) -> LinkPacket {
        synchronization(.synchronize, sequence: sequence, acknowledgement: 0, value)
    }

    /// What is wrong with a proposal, and what it is countered with.
    static let corrections: [(LinkParameterError.Field, Change, Change)] = [
        (.version, { $0.version = 3 }, { $0.version = 1 }),
        (.version, { $0.version = 0 }, { $0.version = 1 }),
        (.retransmissionTimeout, { $0.retransmissionTimeout = 19 }, { $0.retransmissionTimeout = 20 }),
        (.acknowledgementTimeout, { $0.acknowledgementTimeout = 0 }, { $0.acknowledgementTimeout = 10 }),
        (.maximumRetransmissions, { $0.maximumRetransmissions = 31 }, { $0.maximumRetransmissions = 30 }),
        (
            .maximumCumulativeAcknowledgements, { $0.maximumCumulativeAcknowledgements = 0 },
            { $0.maximumCumulativeAcknowledgements = 1 }
        ),
        (.channels, { $0.channels[1].id = 1 }, { $0.channels.removeLast() }),
        (.channels, { $0.channels[1].id = 0 }, { $0.channels.removeLast() }),
        (.channels, { $0.channels = [] }, { $0.channels = LinkSynchronization.deviceDefault.channels }),
    ]

    @Test("a device counters an illegal offer with the nearest legal one", arguments: 0..<corrections.count)
    func deviceCounters(index: Int) {
        let (name, spoil, mend) = Self.corrections[index]
        var end = Self.device()
        end.receive(Self.offer(4, LinkSynchronization.accessoryDefault.changed(spoil)))
        #expect(end.notices == [.countered(round: 1, field: name)])
        let counter = LinkSynchronization.deviceDefault.changed(spoil).changed(mend)
        #expect(end.sent == [Self.answer(0x2D, to: 4, counter)])
        // Acknowledged, it is what counts.
        end.receive(ack(4, 0x2D))
        #expect(end.machine.agreement?.own == counter)
        #expect(end.machine.agreement?.peer.retransmissionTimeout == counter.retransmissionTimeout)
        #expect(end.machine.agreement?.peer.maximumPacketLength == 4096)
    }

    @Test(
        "what an accessory says it takes is brought into what is legal",
        arguments: [(0, 23, 1, 24), (200, 24, 127, 24)] as [(UInt8, UInt16, UInt8, UInt16)])
    func illegalLimits(window: UInt8, length: UInt16, legalWindow: UInt8, legalLength: UInt16) {
        var end = Self.device()
        end.receive(
            Self.offer(
                4,
                LinkSynchronization.accessoryDefault.changed {
                    $0.maximumOutstandingPackets = window
                    $0.maximumPacketLength = length
                }))
        #expect(end.notices == [.countered(round: 1, field: .maximumOutstandingPackets)])
        end.receive(ack(4, 0x2D))
        #expect(end.machine.agreement?.peer.maximumOutstandingPackets == legalWindow)
        #expect(end.machine.agreement?.peer.maximumPacketLength == legalLength)
    }

    @Test("a device counters what it was told not to take, and takes the accessory's consent")
    func deviceAcceptance() {
        var parameters = LinkParameters.device
        parameters.acceptance.retransmissionTimeout = 500...1000
        parameters.acceptance.channels = [.control]
        var end = Self.device(parameters)
        end.receive(LinkVector.all[0].bytes)
        #expect(end.notices == [.countered(round: 1, field: .retransmissionTimeout)])
        let counter = LinkSynchronization.deviceDefault.changed {
            $0.retransmissionTimeout = 1000
            $0.channels.removeLast()
        }
        #expect(end.sent == [Self.answer(0x2D, to: 0, counter)])
        // Sent again, it is the same, and no second round.
        end.receive(LinkVector.all[0].bytes)
        #expect(end.sent == [Self.answer(0x2D, to: 0, counter)])
        #expect(end.notices == [])
        end.deadline(at: second / 2)
        #expect(end.sent == [Self.answer(0x2D, to: 0, counter)])
        // A new offer that fits is taken.
        let fits = LinkSynchronization.accessoryDefault.changed {
            $0.retransmissionTimeout = 600
            $0.channels.removeLast()
        }
        end.receive(Self.offer(1, fits))
        #expect(end.notices == [])
        #expect(end.sent.map(\.acknowledgement) == [1])
        end.receive(ack(1, 0x2D))
        #expect(end.machine.agreement?.own.retransmissionTimeout == 600)
    }

    @Test("an accessory takes a counter-offer that it can live with")
    func accessoryAdapts() {
        var end = Self.accessory()
        let counter = LinkSynchronization.deviceDefault.changed {
            $0.retransmissionTimeout = 1000
            $0.acknowledgementTimeout = 100
            $0.maximumRetransmissions = 5
            $0.maximumCumulativeAcknowledgements = 2
            $0.channels.removeLast()
        }
        end.receive(Self.answer(9, to: 0, counter))
        #expect(end.sent == [ack(0, 9)])
        #expect(end.machine.agreement?.peer == counter)
        #expect(
            end.machine.agreement?.own
                == counter.changed {
                    $0.maximumOutstandingPackets = 32
                    $0.maximumPacketLength = 4096
                })
    }

    static let disliked: [(LinkParameterError.Field, Change)] = [
        (.version, { $0.version = 2 }),
        (.maximumOutstandingPackets, { $0.maximumOutstandingPackets = 0 }),
        (.maximumPacketLength, { $0.maximumPacketLength = 23 }),
        (.retransmissionTimeout, { $0.retransmissionTimeout = 2001 }),
        (.acknowledgementTimeout, { $0.acknowledgementTimeout = 1999 }),
        (.maximumRetransmissions, { $0.maximumRetransmissions = 29 }),
        (.maximumCumulativeAcknowledgements, { $0.maximumCumulativeAcknowledgements = 5 }),
        (.channels, { $0.channels.append(LinkChannelDeclaration(id: 3, channel: .externalAccessory, version: 1)) }),
        (.channels, { $0.channels[1].version = 2 }),
    ]

    @Test(
        "an accessory restates its offer, in either form, until the rounds are used up", arguments: 0..<disliked.count)
    func accessoryRestates(index: Int) {
        let (name, spoil) = Self.disliked[index]
        for form in LinkParameters.Restatement.allCases {
            var parameters = LinkParameters.accessory
            parameters.acceptance = .only(.accessoryDefault)
            parameters.restatement = form
            parameters.negotiationRounds = 3
            var end = Self.accessory(parameters)
            let spoiled = LinkSynchronization.deviceDefault.changed(spoil)
            for round in 1...3 as ClosedRange<UInt8> {
                end.receive(Self.answer(7, to: round - 1, spoiled))
                #expect(end.notices == [.countered(round: Int(round), field: name)])
                let restated =
                    form == .offer
                    ? Self.offer(round, .accessoryDefault) : Self.answer(round, to: 7, .accessoryDefault)
                #expect(end.sent == [restated])
            }
            end.receive(Self.answer(7, to: 3, spoiled))
            guard case .closed(.negotiationLimit(rounds: 3, let error)) = end.notices.first else {
                Issue.record("\(end.notices)")
                return
            }
            #expect(error.field == name)
            #expect(end.sent.map(\.control) == [.reset])
        }
    }

    @Test("the device counters as often as it may, by default ten times")
    func deviceLimit() {
        var end = Self.device()
        for round in 1...10 as ClosedRange<UInt8> {
            end.receive(Self.offer(round, LinkSynchronization.accessoryDefault.changed { $0.version = 3 }))
            #expect(end.notices == [.countered(round: Int(round), field: .version)])
        }
        end.receive(Self.offer(11, LinkSynchronization.accessoryDefault.changed { $0.version = 3 }))
        guard case .closed(let failure) = end.notices.first else {
            Issue.record("\(end.notices)")
            return
        }
        #expect(failure.name == "link.negotiation-limit")
        #expect(failure.fault == .peer)
        #expect(failure.reason.contains("10 rounds"))
    }

    @Test("an accessory that restates with an answer is up when the device acknowledges", arguments: [false, true])
    func restatedAnswer(lost: Bool) {
        var parameters = LinkParameters.accessory
        parameters.acceptance = .only(.accessoryDefault)
        parameters.restatement = .answer
        var end = Self.accessory(parameters)
        end.receive(Self.answer(7, to: 0, LinkSynchronization.deviceDefault.changed { $0.maximumRetransmissions = 1 }))
        #expect(end.sent == [Self.answer(1, to: 7, .accessoryDefault)])
        // The acknowledgement may ride on the first payload.
        end.receive(lost ? data(8, 1, [5]) : ack(7, 1))
        #expect(end.machine.phase == .established)
        #expect(end.machine.agreement?.own == .accessoryDefault)
        if lost { #expect(end.notices.last == .received(channel: .control, payload: [5])) }
    }

    @Test("a device takes an accessory's answer to its answer, and acknowledges it again when it is repeated")
    func deviceTakesAnswer() {
        var parameters = LinkParameters.device
        parameters.acceptance.maximumRetransmissions = 1...4
        var end = Self.device(parameters)
        end.receive(LinkVector.all[0].bytes)
        #expect(end.notices == [.countered(round: 1, field: .maximumRetransmissions)])
        let restated = LinkSynchronization.accessoryDefault.changed { $0.maximumRetransmissions = 2 }
        for _ in 0..<2 {
            end.receive(Self.answer(1, to: 0x2D, restated))
            #expect(end.sent == [ack(0x2D, 1)])
        }
        #expect(end.machine.agreement?.own.maximumRetransmissions == 2)
        #expect(end.machine.agreement?.own.maximumPacketLength == 65_535)
        #expect(end.machine.agreement?.peer == restated)
    }

    @Test("a device counters an accessory's answer that it does not take, and answers its repetition alike")
    func deviceCountersAnswer() {
        var parameters = LinkParameters.device
        parameters.acceptance.maximumRetransmissions = 1...4
        var end = Self.device(parameters)
        end.receive(LinkVector.all[0].bytes)
        for round in 2...3 as ClosedRange<UInt8> {
            end.receive(Self.answer(round, to: 0x2D, .accessoryDefault))
            #expect(end.notices == [.countered(round: Int(round), field: .maximumRetransmissions)])
            let answers = end.sent
            #expect(answers.map(\.acknowledgement) == [round])
            end.receive(Self.answer(round, to: 0x2D, .accessoryDefault))
            #expect(end.notices == [] && end.sent == answers)
        }
    }

    @Test("after a counter-offer, late packets of the first round change nothing")
    func lateRound() {
        var parameters = LinkParameters.device
        parameters.acceptance.maximumRetransmissions = 1...4
        var end = Self.device(parameters)
        end.receive(LinkVector.all[0].bytes)
        end.receive(Self.offer(1, LinkSynchronization.accessoryDefault.changed { $0.maximumRetransmissions = 3 }))
        #expect(end.sent.map(\.acknowledgement) == [1])
        end.receive(LinkVector.all[0].bytes)
        #expect(end.sent == [])
        #expect(end.irregularities.map(\.rule) == [.unexpectedPacket])
        end.receive(ack(0, 0x2D))
        #expect(end.machine.phase == .synchronizing)
        end.receive(ack(1, 0x2D))
        #expect(end.machine.agreement?.own.maximumRetransmissions == 3)
    }

    // MARK: Versions

    @Test("a newer accessory steps down to the version of the phone", arguments: [1, 2, 3] as [UInt8])
    func stepDown(version: UInt8) {
        var parameters = LinkParameters.accessory
        parameters.synchronization.version = version
        var end = Self.accessory(parameters)
        #expect(end.sent.first?.payload.first == version)
        end.receive(LinkVector.all[1].bytes)
        #expect(end.sent == [ack(0, 0x2D)])
        #expect(end.machine.agreement?.own.version == 1)
    }

    @Test("a phone answers with the older of the version that was offered and its own")
    func answeredVersion() {
        for own in LinkSynchronization.legalVersions {
            var parameters = LinkParameters.device
            parameters.synchronization.version = own
            for offered in [0, 1, 2, 3, 4, 255] as [UInt8] {
                var end = Self.device(parameters)
                end.receive(Self.offer(1, LinkSynchronization.accessoryDefault.changed { $0.version = offered }))
                let answered = min(max(offered, 1), own)
                #expect(
                    end.sent == [Self.answer(0x2D, to: 1, .deviceDefault.changed { $0.version = answered })],
                    "\(own) \(offered)")
                let countered = TestNotice.countered(round: 1, field: .version)
                #expect(end.notices.contains(countered) == (answered != offered), "\(own) \(offered)")
            }
        }
    }

    @Test("an accessory goes on with version 1, whatever it offered and whatever the phone speaks")
    func versionsMeet() {
        for form in LinkParameters.Restatement.allCases {
            for offered in LinkSynchronization.legalVersions {
                for own in LinkSynchronization.legalVersions {
                    var unitParameters = LinkParameters.accessory
                    unitParameters.restatement = form
                    unitParameters.synchronization.version = offered
                    var phoneParameters = LinkParameters.device
                    phoneParameters.synchronization.version = own
                    var unit = LinkEnd(.accessory, unitParameters)
                    var phone = LinkEnd(.device, phoneParameters)
                    phone.start()
                    unit.start()
                    var turns = 0
                    while !(unit.packets.isEmpty && phone.packets.isEmpty), turns < 20 {
                        phone.receive(unit.packets.flatMap { $0 })
                        unit.receive(phone.packets.flatMap { $0 })
                        turns += 1
                    }
                    let versions = [unit.machine.agreement, phone.machine.agreement].map { $0?.own.version }
                    #expect(versions == [1, 1], "\(form) \(offered) \(own)")
                    let countered = [unit, phone].map(\.machine.statistics.countered)
                    #expect(
                        countered == [min(offered, own) > 1 ? 1 : 0, offered > own ? 1 : 0],
                        "\(form) \(offered) \(own)")
                }
            }
        }
    }

    @Test("what a later version puts behind the timings is not read by a phone of version 1")
    func laterVersion() {
        var end = Self.device()
        end.receive(
            LinkPacket(
                control: .synchronize, sequence: 1, acknowledgement: 0,
                payload: hex("03 20 10 00 07 D0 07 D0 1E 06 AA")[...]))
        #expect(end.notices == [.countered(round: 1, field: .version)])
        #expect(end.sent == [Self.answer(0x2D, to: 1, .deviceDefault)])
    }

    // MARK: Without acknowledgements

    @Test("the captured exchange without acknowledgements, both ends")
    func withoutAcknowledgements() {
        var parameters = LinkParameters.accessory
        parameters.synchronization = .withoutAcknowledgements
        parameters.beginsWithOffer = true
        var unit = LinkEnd(.accessory, parameters)
        unit.start()
        #expect(unit.packets == [LinkVector.all[6].bytes])
        #expect(unit.machine.phase == .synchronizing)
        var phoneParameters = LinkParameters.device
        phoneParameters.synchronization.maximumOutstandingPackets = 32
        var phone = LinkEnd(.device, phoneParameters, sequence: 0x0A)
        phone.start()
        phone.receive(unit.packets[0])
        #expect(phone.packets == [LinkVector.all[7].bytes])
        unit.receive(phone.packets[0])
        #expect(unit.sent == [ack(0, 0x0A)])
        phone.receive(unit.packets[0])
        #expect(phone.machine.agreement?.own.isWithoutAcknowledgements == true)
        #expect(unit.machine.phase == .established)
    }

    @Test("a phone that wants acknowledgements gets an offer with them")
    func fallback() {
        var parameters = LinkParameters.accessory
        parameters.synchronization = .withoutAcknowledgements
        var unit = Self.accessory(parameters)
        #expect(unit.packets == [LinkVector.all[6].bytes])
        unit.receive(LinkVector.all[1].bytes)
        #expect(unit.notices == [.countered(round: 1, field: .retransmissionTimeout)])
        let fallback = LinkSynchronization.accessoryDefault.changed { $0.maximumPacketLength = 65_535 }
        #expect(unit.sent == [Self.offer(1, fallback)])
        unit.receive(Self.answer(0x2D, to: 1, .deviceDefault))
        #expect(unit.machine.agreement?.own == fallback)

        parameters.fallback = .deviceDefault
        unit = Self.accessory(parameters)
        unit.receive(LinkVector.all[1].bytes)
        #expect(unit.sent == [Self.offer(1, .deviceDefault)])
    }

    @Test("a phone that takes no link without acknowledgements counters with its own timings")
    func notTaken() {
        var parameters = LinkParameters.device
        parameters.acceptance.withoutAcknowledgements = false
        var end = Self.device(parameters)
        end.receive(LinkVector.all[6].bytes)
        #expect(end.notices == [.countered(round: 1, field: .retransmissionTimeout)])
        #expect(end.sent == [Self.answer(0x2D, to: 0, .deviceDefault)])
    }

    @Test("an accessory takes no link without acknowledgements that it did not offer")
    func notOffered() {
        var end = Self.accessory()
        end.receive(Self.answer(1, to: 0, .withoutAcknowledgements))
        #expect(end.notices == [.countered(round: 1, field: .retransmissionTimeout)])
        #expect(end.sent == [Self.offer(1, .accessoryDefault)])
    }

    @Test("two ends with nothing in common end with a named failure on both sides")
    func nothingInCommon() {
        var unitParameters = LinkParameters.accessory
        unitParameters.acceptance.retransmissionTimeout = 2000...2000
        var phoneParameters = LinkParameters.device
        phoneParameters.acceptance.retransmissionTimeout = 100...100
        for form in LinkParameters.Restatement.allCases {
            unitParameters.restatement = form
            var unit = Self.accessory(unitParameters)
            var phone = Self.device(phoneParameters)
            var rounds = 0
            while unit.machine.phase != .closed, rounds < 30 {
                phone.receive(unit.packets.flatMap { $0 })
                unit.receive(phone.packets.flatMap { $0 })
                rounds += 1
            }
            #expect(rounds == 11)
            #expect(unit.machine.phase == .closed)
            phone.receive(unit.packets.flatMap { $0 })
            #expect(phone.machine.phase == .closed)
        }
    }
}
