internal import CLinux
internal import Glibc
internal import LinuxIO

/// The kernel's usbfs for one open of a mock node, answering on a thread of its own.
struct USBKernel {
    let connection: IoctlConnection
    let state: Guarded<USBMock.State>
    let node: MockNode
    let device: UInt16

    private var id: ObjectIdentifier { ObjectIdentifier(connection) }

    /// Answers until the program closes the node.
    func serve() {
        state.use { $0.connections[id] = USBMock.Connection() }
        while let call = connection.next(timeout: timeout()) {
            finishDue()
            guard let call else { continue }
            state.use { $0.calls += 1 }
            switch call {
            case .ioctl(let request, let argument): answer(request, argument)
            case .read(let address, let length): read(address, length)
            case .write: connection.fail(EINVAL)
            }
        }
        state.use { state in
            state.connections[id] = nil
            state.claimed = state.claimed.filter { $0.value != id }
            Self.show(state, node)
        }
    }

    /// Makes the node ready when a transfer can be handed back.
    static func show(_ state: USBMock.State, _ node: MockNode) {
        node.setWritable(state.connections.values.contains { $0.transfers.contains(where: \.isDone) })
    }

    /// Moves bulk data: what the device has to send to the transfers that wait for it, oldest first, and what was sent
    /// to it.
    static func moveBulk(_ state: inout USBMock.State) {
        for (key, open) in state.connections {
            var open = open
            for index in open.transfers.indices where !open.transfers[index].isDone {
                guard open.transfers[index].block.type == UInt8(USBDEVFS_URB_TYPE_BULK) else { continue }
                move(&open.transfers[index], &state.model, isCut: state.isCut)
            }
            state.connections[key] = open
        }
    }

    private static func move(_ transfer: inout PendingTransfer, _ model: inout USBModel, isCut: Bool) {
        let endpoint = transfer.block.endpoint
        var failures = model.failures[endpoint] ?? []
        if isCut || !failures.isEmpty {
            let number = isCut ? EPROTO : failures.removeFirst()
            model.failures[endpoint] = failures
            return transfer.finish(-number)
        }
        var limit: Int?
        switch model.halts[endpoint] {
        case .halted: return
        case .armed(let after): limit = after
        case nil: break
        }
        if endpoint & 0x80 == 0 {
            guard model.behaviour.takesOutput else { return }
            let part = limit.map { Array(transfer.data.prefix($0)) } ?? transfer.data
            let endsPacket = limit == nil && transfer.block.flags & UInt32(USBDEVFS_URB_ZERO_PACKET) != 0
            if limit == nil || !part.isEmpty { model.take(part, endsPacket: endsPacket, endpoint: endpoint) }
            transfer.block.actual_length = Int32(part.count)
            transfer.finish(limit == nil ? 0 : -EPIPE)
        } else {
            if limit == nil { fill(&transfer, &model) } else { transfer.finish(-EPIPE) }
        }
        if limit != nil { model.halts[endpoint] = .halted }
    }

    /// A read ends with a packet that is not full, or when it is full itself.
    private static func fill(_ transfer: inout PendingTransfer, _ model: inout USBModel) {
        let size = Int(max(transfer.block.buffer_length, 0))
        let packet = model.packetSize(transfer.block.endpoint)
        while !transfer.isDone && !model.packetsIn.isEmpty {
            let next = model.packetsIn.removeFirst()
            let room = size - transfer.data.count
            transfer.data += next.prefix(room)
            transfer.block.actual_length = Int32(transfer.data.count)
            if next.count > room {
                transfer.finish(-EOVERFLOW)
            } else if next.count < packet || transfer.data.count == size {
                transfer.finish(0)
            }
        }
    }

    // MARK: Time

    private func timeout() -> Int32 {
        let now = SystemClock.monotonicNow()
        let due = state.use { $0.connections[id]?.transfers.compactMap { $0.isDone ? nil : $0.due }.min() }
        guard let due else { return -1 }
        return due <= now ? 0 : Int32(clamping: (due - now) / 1_000_000 + 1)
    }

    private func finishDue() {
        let now = SystemClock.monotonicNow()
        change { open in
            for index in open.transfers.indices {
                if let due = open.transfers[index].due, due <= now { open.transfers[index].isDone = true }
            }
        }
    }

    private func change(_ body: (inout USBMock.Connection) -> Void) {
        state.use { state in
            guard var open = state.connections[id] else { return }
            body(&open)
            state.connections[id] = open
            Self.show(state, node)
        }
    }

    /// Waits until the test lets hanging calls go. False when the call has failed by then.
    private func hang() -> Bool {
        if state.wait(until: { !$0.hangs }, then: { $0.hangsSucceed }) { return true }
        connection.fail(ENODEV)
        return false
    }

    // MARK: Calls

    private func read(_ address: UInt, _ length: Int) {
        let part: [UInt8]? = state.use { state in
            if state.isUnplugged { return nil }
            guard var open = state.connections[id] else { return nil }
            let rest = state.model.descriptors.dropFirst(open.offset).prefix(length)
            open.offset += rest.count
            state.connections[id] = open
            return Array(rest)
        }
        guard let part else { return connection.fail(ENODEV) }
        connection.setMemory(at: address, part)
        connection.done(part.count)
    }

    private func answer(_ request: UInt, _ argument: UInt) {
        let (gone, behaviour) = state.use { ($0.isUnplugged, $0.model.behaviour) }
        if request == dashrig_USBDEVFS_REAPURB() || request == dashrig_USBDEVFS_REAPURBNDELAY() {
            return reap(argument, gone)
        }
        if gone { return connection.fail(ENODEV) }
        switch request {
        case dashrig_USBDEVFS_CONNECTINFO():
            if behaviour.openHangs && !hang() { return }
            connection.setMemory(at: argument, value: usbdevfs_connectinfo(devnum: UInt32(device), slow: 0))
            connection.done(0)
        case dashrig_USBDEVFS_GET_CAPABILITIES():
            let capabilities =
                USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_BULK_CONTINUATION | USBDEVFS_CAP_NO_PACKET_SIZE_LIM
                | USBDEVFS_CAP_REAP_AFTER_DISCONNECT
            connection.setMemory(at: argument, value: UInt32(capabilities))
            connection.done(0)
        case dashrig_USBDEVFS_GET_SPEED(): connection.done(3)  // high speed
        case dashrig_USBDEVFS_GETDRIVER(): driver(argument, behaviour)
        case dashrig_USBDEVFS_CLAIMINTERFACE(): claim(argument, behaviour)
        case dashrig_USBDEVFS_RELEASEINTERFACE():
            guard let interface = connection.value(at: argument, as: UInt32.self) else {
                return connection.fail(EFAULT)
            }
            state.use { $0.claimed[interface] = nil }
            connection.done(0)
        case dashrig_USBDEVFS_RESET():
            if behaviour.resetReturns || hang() { connection.done(0) }
        case dashrig_USBDEVFS_CLEAR_HALT(): clearHalt(argument)
        case dashrig_USBDEVFS_SETINTERFACE():
            guard let setting = connection.value(at: argument, as: usbdevfs_setinterface.self) else {
                return connection.fail(EFAULT)
            }
            state.use { $0.model.deeds.append(.setAlternate(setting.interface, setting.altsetting)) }
            connection.done(0)
        case dashrig_USBDEVFS_SETCONFIGURATION():
            guard let value = connection.value(at: argument, as: UInt32.self) else { return connection.fail(EFAULT) }
            state.use {
                $0.model.activeConfiguration = UInt8(truncatingIfNeeded: value)
                $0.model.deeds.append(.setConfiguration(value))
            }
            connection.done(0)
        case dashrig_USBDEVFS_IOCTL(): interfaceCall(argument)
        case dashrig_USBDEVFS_CONTROL(): control(argument)
        case dashrig_USBDEVFS_SUBMITURB(): submit(argument, behaviour)
        case dashrig_USBDEVFS_DISCARDURB():
            if behaviour.cancelReturns || hang() { discard(argument) }
        default: connection.fail(ENOTTY)
        }
    }

    private func driver(_ argument: UInt, _ behaviour: USBBehaviour) {
        guard var query = connection.value(at: argument, as: usbdevfs_getdriver.self) else {
            return connection.fail(EFAULT)
        }
        let claimed = state.use { $0.claimed[query.interface] != nil }
        let name: String
        if case .busy(let driver) = behaviour.claim {
            name = driver
        } else if claimed {
            name = "usbfs"
        } else {
            return connection.fail(ENODATA)
        }
        withUnsafeMutableBytes(of: &query.driver) { $0.copyBytes(from: Array(name.utf8).prefix($0.count - 1)) }
        connection.setMemory(at: argument, value: query)
        connection.done(0)
    }

    /// What usbfs passes on to an interface's driver: of this only "disconnect" is known.
    private func interfaceCall(_ argument: UInt) {
        guard let call = connection.value(at: argument, as: usbdevfs_ioctl.self) else { return connection.fail(EFAULT) }
        guard UInt(truncatingIfNeeded: call.ioctl_code) == UInt(dashrig_USBDEVFS_DISCONNECT()) else {
            return connection.fail(ENOTTY)
        }
        let hadDriver: Bool = state.use { state in
            guard case .busy(let driver) = state.model.behaviour.claim, driver != "usbfs" else { return false }
            state.model.behaviour.claim = .granted
            state.model.deeds.append(.detachDriver(UInt32(bitPattern: call.ifno)))
            return true
        }
        hadDriver ? connection.done(0) : connection.fail(ENODATA)
    }

    private func clearHalt(_ argument: UInt) {
        guard let value = connection.value(at: argument, as: UInt32.self) else { return connection.fail(EFAULT) }
        let endpoint = UInt8(truncatingIfNeeded: value)
        state.use { state in
            let isWaiting = state.connections.values.contains { open in
                open.transfers.contains { !$0.isDone && $0.block.endpoint == endpoint }
            }
            state.model.deeds.append(.clearHalt(endpoint, transfersWait: isWaiting))
            state.model.halts[endpoint] = state.model.behaviour.haltsAgain ? .armed(after: 0) : nil
            Self.moveBulk(&state)
            Self.show(state, node)
        }
        connection.done(0)
    }

    private func claim(_ argument: UInt, _ behaviour: USBBehaviour) {
        guard let interface = connection.value(at: argument, as: UInt32.self) else { return connection.fail(EFAULT) }
        if state.use({ $0.model.activeConfiguration }) == 0 { return connection.fail(ENOENT) }
        switch behaviour.claim {
        case .busy: connection.fail(EBUSY)
        case .hangs where !hang(): break
        case .granted, .hangs:
            let taken = state.use { state in
                if let owner = state.claimed[interface], owner != id { return false }
                state.claimed[interface] = id
                return true
            }
            taken ? connection.done(0) : connection.fail(EBUSY)
        }
    }

    /// The synchronous request that libusb makes while it opens a device.
    private func control(_ argument: UInt) {
        guard let call = connection.value(at: argument, as: usbdevfs_ctrltransfer.self) else {
            return connection.fail(EFAULT)
        }
        let answer = state.use {
            $0.model.control(
                type: call.bRequestType, request: call.bRequest, value: call.wValue, index: call.wIndex)
        }
        guard let answer else { return connection.fail(EPIPE) }
        let data = Array(answer.prefix(Int(call.wLength)))
        connection.setMemory(at: UInt(bitPattern: call.data), data)
        connection.done(data.count)
    }

    // MARK: Transfers

    private func submit(_ argument: UInt, _ behaviour: USBBehaviour) {
        guard let block = connection.value(at: argument, as: usbdevfs_urb.self) else { return connection.fail(EFAULT) }
        let sends = block.type == UInt8(USBDEVFS_URB_TYPE_CONTROL) || block.endpoint & 0x80 == 0
        let buffer =
            sends ? connection.memory(at: UInt(bitPattern: block.buffer), count: Int(block.buffer_length)) : []
        var transfer = PendingTransfer(address: argument, block: block)
        if block.type == UInt8(USBDEVFS_URB_TYPE_CONTROL) {
            guard buffer.count >= 8 else { return connection.fail(EINVAL) }
            begin(control: &transfer, buffer, behaviour.answers[buffer[1]] ?? behaviour.control)
        } else if block.endpoint & 0x80 == 0 {
            transfer.data = buffer
        }
        // A device refuses on a halted endpoint whatever comes; what was waiting there when it halted stays.
        if case .halted? = state.use({ $0.model.halts[block.endpoint] }) { transfer.finish(-EPIPE) }
        state.use { state in
            state.connections[id]?.transfers.append(transfer)
            Self.moveBulk(&state)
            Self.show(state, node)
        }
        connection.done(0)
    }

    private func begin(control transfer: inout PendingTransfer, _ buffer: [UInt8], _ answer: USBBehaviour.Answer) {
        func word(_ index: Int) -> UInt16 { UInt16(buffer[index]) | UInt16(buffer[index + 1]) << 8 }
        let reply = state.use {
            $0.model.control(type: buffer[0], request: buffer[1], value: word(2), index: word(4))
        }
        let length = Int(word(6))
        if buffer[0] == 0x40 && buffer[1] == 52 {
            let text = String(decoding: buffer.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self)
            state.use { $0.model.accessoryStrings.append(text) }
        }
        if let reply, answer != .stall {
            transfer.data = buffer[0] & 0x80 != 0 ? Array(reply.prefix(length)) : []
            transfer.block.actual_length = Int32(buffer[0] & 0x80 != 0 ? transfer.data.count : length)
        } else {
            transfer.block.status = -EPIPE
        }
        switch answer {
        case .prompt, .stall: transfer.isDone = true
        case .error(let number): transfer.finish(-number)
        case .late(let time): transfer.due = SystemClock.monotonicNow() + time
        case .never: break
        }
    }

    private func discard(_ argument: UInt) {
        var found = false
        change { open in
            guard let index = open.transfers.firstIndex(where: { $0.address == argument && !$0.isDone }) else { return }
            found = true
            // What a read has got by then stays with it.
            if open.transfers[index].block.endpoint & 0x80 == 0 { open.transfers[index].block.actual_length = 0 }
            open.transfers[index].finish(-ENOENT)
        }
        found ? connection.done(0) : connection.fail(EINVAL)
    }

    private func reap(_ argument: UInt, _ gone: Bool) {
        let transfer: PendingTransfer? = state.use { state in
            guard let index = state.connections[id]?.transfers.firstIndex(where: \.isDone) else { return nil }
            return state.connections[id]?.transfers.remove(at: index)
        }
        guard let transfer else {
            change { _ in }
            return connection.fail(gone ? ENODEV : EAGAIN)
        }
        let offset: UInt = transfer.block.type == UInt8(USBDEVFS_URB_TYPE_CONTROL) ? 8 : 0
        let isIn = transfer.block.type == UInt8(USBDEVFS_URB_TYPE_CONTROL) || transfer.block.endpoint & 0x80 != 0
        if isIn && (transfer.block.status == 0 || transfer.block.actual_length > 0) {
            connection.setMemory(at: UInt(bitPattern: transfer.block.buffer) + offset, transfer.data)
        }
        connection.setMemory(at: transfer.address, value: transfer.block)
        connection.setMemory(at: argument, value: transfer.address)
        change { _ in }
        connection.done(0)
    }
}
