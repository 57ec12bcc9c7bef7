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

    /// Gives what the device has to send to the transfers that wait for it, oldest first.
    static func moveBulk(_ state: inout USBMock.State) {
        for (key, open) in state.connections {
            var open = open
            for index in open.transfers.indices where !open.transfers[index].isDone && !state.model.bulkIn.isEmpty {
                let block = open.transfers[index].block
                guard block.type == UInt8(USBDEVFS_URB_TYPE_BULK), block.endpoint & 0x80 != 0 else { continue }
                let data = Array(state.model.bulkIn.removeFirst().prefix(Int(max(block.buffer_length, 0))))
                open.transfers[index].data = data
                open.transfers[index].block.actual_length = Int32(data.count)
                open.transfers[index].isDone = true
            }
            state.connections[key] = open
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
        case dashrig_USBDEVFS_CLEAR_HALT(), dashrig_USBDEVFS_SETINTERFACE(): connection.done(0)
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

    private func claim(_ argument: UInt, _ behaviour: USBBehaviour) {
        guard let interface = connection.value(at: argument, as: UInt32.self) else { return connection.fail(EFAULT) }
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
        let buffer = connection.memory(at: UInt(bitPattern: block.buffer), count: Int(block.buffer_length))
        var transfer = PendingTransfer(address: argument, block: block)
        if block.type == UInt8(USBDEVFS_URB_TYPE_CONTROL) {
            guard buffer.count >= 8 else { return connection.fail(EINVAL) }
            begin(control: &transfer, buffer, behaviour.control)
        } else if block.endpoint & 0x80 == 0 {
            state.use { $0.model.bulkOut.append(buffer) }
            transfer.block.actual_length = block.buffer_length
            transfer.isDone = true
        }
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
        if let reply, answer != .stall {
            transfer.data = buffer[0] & 0x80 != 0 ? Array(reply.prefix(length)) : []
            transfer.block.actual_length = Int32(buffer[0] & 0x80 != 0 ? transfer.data.count : length)
        } else {
            transfer.block.status = -EPIPE
        }
        switch answer {
        case .prompt, .stall: transfer.isDone = true
        case .late(let time): transfer.due = SystemClock.monotonicNow() + time
        case .never: break
        }
    }

    private func discard(_ argument: UInt) {
        var found = false
        change { open in
            guard let index = open.transfers.firstIndex(where: { $0.address == argument && !$0.isDone }) else { return }
            found = true
            open.transfers[index].block.status = -ENOENT
            open.transfers[index].block.actual_length = 0
            open.transfers[index].data = []
            open.transfers[index].isDone = true
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
        if transfer.block.status == 0 {
            connection.setMemory(at: UInt(bitPattern: transfer.block.buffer) + offset, transfer.data)
        }
        connection.setMemory(at: transfer.address, value: transfer.block)
        connection.setMemory(at: argument, value: transfer.address)
        change { _ in }
        connection.done(0)
    }
}
