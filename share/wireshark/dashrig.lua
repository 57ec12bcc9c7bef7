-- Dissector for the captures of "dashrig capture": packets of an iAP-style link, and the control messages in them.
--
-- Wireshark and tshark load it from their folder of plugins (Help, About, Folders), or with
--   tshark -X lua_script:dashrig.lua -r session.pcapng
-- Packets have the link type USER0 (147). Fields to filter by begin with "dashrig.": dashrig.control, dashrig.sequence,
-- dashrig.message.id, dashrig.message.name, dashrig.damaged, ...

-- begin of messages: made from Dashrig's own table; DASHRIG_WRITE_DOCS=1 swift test --filter GeneratedFilesTests
local messages = {
    [0x0B00] = { "StartBluetoothPairing", "phone" },
    [0x0B01] = { "BluetoothPairingAccessoryInformation", "head unit" },
    [0x0B02] = { "BluetoothPairingStatus", "head unit" },
    [0x0B03] = { "StopBluetoothPairing", "phone" },
    [0x1D00] = { "StartIdentification", "phone" },
    [0x1D01] = { "IdentificationInformation", "head unit" },
    [0x1D02] = { "IdentificationAccepted", "phone" },
    [0x1D03] = { "IdentificationRejected", "phone" },
    [0x1D05] = { "CancelIdentification", "head unit" },
    [0x1D06] = { "IdentificationInformationUpdate", "head unit" },
    [0x4154] = { "StartCallStateUpdates", "head unit" },
    [0x4155] = { "CallStateUpdate", "phone" },
    [0x4156] = { "StopCallStateUpdates", "head unit" },
    [0x4157] = { "StartCommunicationsUpdates", "head unit" },
    [0x4158] = { "CommunicationsUpdate", "phone" },
    [0x4159] = { "StopCommunicationsUpdates", "head unit" },
    [0x415A] = { "InitiateCall", "head unit" },
    [0x415B] = { "AcceptCall", "head unit" },
    [0x415C] = { "EndCall", "head unit" },
    [0x415D] = { "SwapCalls", "head unit" },
    [0x415E] = { "MergeCalls", "head unit" },
    [0x415F] = { "HoldStatusUpdate", "head unit" },
    [0x4160] = { "MuteStatusUpdate", "head unit" },
    [0x4161] = { "SendDTMF", "head unit" },
    [0x4300] = { "CarPlayAvailability", "phone" },
    [0x4301] = { "CarPlayStartSession", "head unit" },
    [0x4C00] = { "StartMediaLibraryInformation", "head unit" },
    [0x4C01] = { "MediaLibraryInformation", "phone" },
    [0x4C02] = { "StopMediaLibraryInformation", "head unit" },
    [0x4C03] = { "StartMediaLibraryUpdates", "head unit" },
    [0x4C04] = { "MediaLibraryUpdate", "phone" },
    [0x4C05] = { "StopMediaLibraryUpdates", "head unit" },
    [0x4C06] = { "PlayMediaLibraryCurrentSelection", "head unit" },
    [0x4C07] = { "PlayMediaLibraryItems", "head unit" },
    [0x4C08] = { "PlayMediaLibraryCollection", "head unit" },
    [0x4C09] = { "PlayMediaLibrarySpecial", "head unit" },
    [0x4E01] = { "BluetoothComponentInformation", "head unit" },
    [0x4E03] = { "StartBluetoothConnectionUpdates", "head unit" },
    [0x4E04] = { "BluetoothConnectionUpdate", "phone" },
    [0x4E05] = { "StopBluetoothConnectionUpdates", "head unit" },
    [0x4E09] = { "DeviceInformationUpdate", "phone" },
    [0x4E0A] = { "DeviceLanguageUpdate", "phone" },
    [0x4E0B] = { "DeviceTimeUpdate", "phone" },
    [0x4E0C] = { "DeviceUUIDUpdate", "phone" },
    [0x4E0D] = { "WirelessCarPlayUpdate", "phone" },
    [0x4E0E] = { "DeviceTransportIdentifierNotification", "phone" },
    [0x5000] = { "StartNowPlayingUpdates", "head unit" },
    [0x5001] = { "NowPlayingUpdate", "phone" },
    [0x5002] = { "StopNowPlayingUpdates", "head unit" },
    [0x5003] = { "SetNowPlayingInformation", "head unit" },
    [0x5200] = { "StartRouteGuidanceUpdates", "head unit" },
    [0x5201] = { "RouteGuidanceUpdate", "phone" },
    [0x5202] = { "RouteGuidanceManeuverInformation", "phone" },
    [0x5203] = { "StopRouteGuidanceUpdates", "head unit" },
    [0x5204] = { "LaneGuidanceInformation", "phone" },
    [0x5700] = { "RequestWiFiInformation", "head unit" },
    [0x5701] = { "WiFiInformation", "phone" },
    [0x5702] = { "RequestAccessoryWiFiConfigurationInformation", "phone" },
    [0x5703] = { "AccessoryWiFiConfigurationInformation", "head unit" },
    [0x6800] = { "StartHID", "head unit" },
    [0x6801] = { "DeviceHIDReport", "phone" },
    [0x6802] = { "AccessoryHIDReport", "head unit" },
    [0x6803] = { "StopHID", "head unit" },
    [0x6806] = { "StartNativeHID", "phone" },
    [0x6807] = { "HIDComponentUpdate", "phone" },
    [0xA100] = { "StartVehicleStatusUpdates", "phone" },
    [0xA101] = { "VehicleStatusUpdate", "head unit" },
    [0xA102] = { "StopVehicleStatusUpdates", "phone" },
    [0xAA00] = { "RequestAuthenticationCertificate", "phone" },
    [0xAA01] = { "AuthenticationCertificate", "head unit" },
    [0xAA02] = { "RequestAuthenticationChallengeResponse", "phone" },
    [0xAA03] = { "AuthenticationResponse", "head unit" },
    [0xAA04] = { "AuthenticationFailed", "phone" },
    [0xAA05] = { "AuthenticationSucceeded", "phone" },
    [0xAA06] = { "AccessoryAuthenticationSerialNumber", "head unit" },
    [0xAE00] = { "StartPowerUpdates", "head unit" },
    [0xAE01] = { "PowerUpdate", "phone" },
    [0xAE02] = { "StopPowerUpdates", "head unit" },
    [0xAE03] = { "PowerSourceUpdate", "head unit" },
    [0xAE05] = { "AccessoryPowerUpdate", "head unit" },
    [0xD500] = { "DisplayDeclaration", "head unit" },
    [0xD501] = { "PhoneCondition", "phone" },
    [0xDA00] = { "StartUSBDeviceModeAudio", "head unit" },
    [0xDA01] = { "USBDeviceModeAudioInformation", "phone" },
    [0xDA02] = { "StopUSBDeviceModeAudio", "head unit" },
    [0xEA00] = { "StartExternalAccessoryProtocolSession", "phone" },
    [0xEA01] = { "StopExternalAccessoryProtocolSession", "phone" },
    [0xEA02] = { "RequestAppLaunch", "head unit" },
    [0xEA03] = { "StatusExternalAccessoryProtocolSession", "head unit" },
    [0xFFF0] = { "GPRMCDataStatusValuesNotification", "phone" },
    [0xFFFA] = { "StartLocationInformation", "phone" },
    [0xFFFB] = { "LocationInformation", "head unit" },
    [0xFFFC] = { "StopLocationInformation", "phone" },
}
-- end of messages

local link = Proto("dashrig", "Dashrig link")

local channel_types = { [0] = "control", [1] = "file transfer", [2] = "external accessory" }

local f = {
    detection = ProtoField.none("dashrig.detection", "Detection"),
    packet = ProtoField.none("dashrig.packet", "Packet"),
    length = ProtoField.uint16("dashrig.length", "Length"),
    control = ProtoField.uint8("dashrig.control", "Control", base.HEX),
    syn = ProtoField.bool("dashrig.control.syn", "SYN", 8, nil, 0x80),
    ack = ProtoField.bool("dashrig.control.ack", "ACK", 8, nil, 0x40),
    eak = ProtoField.bool("dashrig.control.eak", "EAK", 8, nil, 0x20),
    rst = ProtoField.bool("dashrig.control.rst", "RST", 8, nil, 0x10),
    slp = ProtoField.bool("dashrig.control.slp", "SLP", 8, nil, 0x08),
    sequence = ProtoField.uint8("dashrig.sequence", "Sequence"),
    acknowledgement = ProtoField.uint8("dashrig.acknowledgement", "Acknowledgement"),
    channel = ProtoField.uint8("dashrig.channel", "Channel"),
    header_checksum = ProtoField.uint8("dashrig.header_checksum", "Header checksum", base.HEX),
    payload_checksum = ProtoField.uint8("dashrig.payload_checksum", "Payload checksum", base.HEX),
    payload = ProtoField.bytes("dashrig.payload", "Payload"),
    missing = ProtoField.uint8("dashrig.missing", "Missing packet"),
    garbage = ProtoField.bytes("dashrig.garbage", "Bytes of no packet"),
    version = ProtoField.uint8("dashrig.syn.version", "Version"),
    outstanding = ProtoField.uint8("dashrig.syn.outstanding", "Maximum outstanding packets"),
    maximum_length = ProtoField.uint16("dashrig.syn.length", "Maximum packet length"),
    retransmission = ProtoField.uint16("dashrig.syn.retransmission", "Retransmission timeout (ms)"),
    cumulative = ProtoField.uint16("dashrig.syn.acknowledgement", "Acknowledgement timeout (ms)"),
    retransmissions = ProtoField.uint8("dashrig.syn.retransmissions", "Maximum retransmissions"),
    acknowledgements = ProtoField.uint8("dashrig.syn.acknowledgements", "Maximum cumulative acknowledgements"),
    channel_id = ProtoField.uint8("dashrig.syn.channel.id", "Channel"),
    channel_type = ProtoField.uint8("dashrig.syn.channel.type", "Type", base.DEC, channel_types),
    channel_version = ProtoField.uint8("dashrig.syn.channel.version", "Version"),
    message_id = ProtoField.uint16("dashrig.message.id", "Message", base.HEX),
    message_name = ProtoField.string("dashrig.message.name", "Name"),
    message_sender = ProtoField.string("dashrig.message.sender", "Sent by"),
    message_length = ProtoField.uint16("dashrig.message.length", "Length"),
    message_part = ProtoField.bytes("dashrig.message.part", "Part of a message"),
    parameter_id = ProtoField.uint16("dashrig.parameter.id", "Parameter"),
    parameter_length = ProtoField.uint16("dashrig.parameter.length", "Length"),
    parameter_value = ProtoField.bytes("dashrig.parameter.value", "Value"),
}
local fields = {}
for _, field in pairs(f) do fields[#fields + 1] = field end
link.fields = fields

local damaged = ProtoExpert.new("dashrig.damaged", "Damaged", expert.group.CHECKSUM, expert.severity.ERROR)
local malformed = ProtoExpert.new("dashrig.malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR)
link.experts = { damaged, malformed }

local direction = Field.new("frame.packet_flags_direction")

local start, header_length = 0x5A, 9

local function sum(range)
    local total = 0
    for index = 0, range:len() - 1 do total = total + range(index, 1):uint() end
    return total % 256
end

-- A checksum with what it should be; true when it is right.
local function add_checksum(tree, field, range, covered)
    local expected = (256 - sum(covered)) % 256
    local item = tree:add(field, range)
    if range:uint() == expected then
        item:append_text(" (right)")
        return true
    end
    item:append_text(string.format(" (wrong, 0x%02x is expected)", expected))
    item:add_proto_expert_info(damaged, string.format("wrong checksum, 0x%02x is expected", expected))
    return false
end

local function add_parameters(tree, range)
    local at = 0
    while at < range:len() do
        local left = range:len() - at
        local length = left >= 4 and range(at, 2):uint() or 0
        if length < 4 or length > left then
            tree:add(f.payload, range(at)):add_proto_expert_info(malformed, "no parameter")
            return
        end
        local parameter = tree:add(f.parameter_id, range(at + 2, 2))
        parameter:add(f.parameter_length, range(at, 2))
        if length > 4 then parameter:add(f.parameter_value, range(at + 4, length - 4)) end
        at = at + length
    end
end

-- The messages of a control channel's payload; what they are called.
local function add_messages(tree, range)
    local names, at = {}, 0
    while at < range:len() do
        local left = range:len() - at
        local length = left >= 6 and range(at + 2, 2):uint() or 0
        local begins = left >= 2 and range(at, 2):uint() == 0x4040
        if not begins or length < 6 then
            tree:add(f.message_part, range(at))
            names[#names + 1] = "part of a message"
            return names
        end
        local id = range(at + 4, 2):uint()
        local known = messages[id]
        local whole = math.min(length, left)
        local message = tree:add(f.message_id, range(at + 4, 2))
        local name = known and known[1] or "unknown"
        message:append_text(" " .. name)
        message:add(f.message_name, range(at + 4, 2), name)
        if known then message:add(f.message_sender, range(at + 4, 2), known[2]) end
        message:add(f.message_length, range(at + 2, 2))
        local text = string.format("%04X %s", id, name)
        if whole < length then
            message:add(f.message_part, range(at + 6, whole - 6))
            text = text .. string.format(" (%d of %d bytes)", whole, length)
        elseif length > 6 then
            add_parameters(message, range(at + 6, length - 6))
        end
        names[#names + 1] = text
        at = at + whole
    end
    return names
end

local function add_synchronization(tree, range)
    if range:len() < 10 then
        tree:add(f.payload, range):add_proto_expert_info(malformed, "no synchronisation")
        return
    end
    tree:add(f.version, range(0, 1))
    tree:add(f.outstanding, range(1, 1))
    tree:add(f.maximum_length, range(2, 2))
    tree:add(f.retransmission, range(4, 2))
    tree:add(f.cumulative, range(6, 2))
    tree:add(f.retransmissions, range(8, 1))
    tree:add(f.acknowledgements, range(9, 1))
    for at = 10, range:len() - 3, 3 do
        local channel = tree:add(f.channel_id, range(at, 1))
        channel:add(f.channel_type, range(at + 1, 1))
        channel:add(f.channel_version, range(at + 2, 1))
    end
end

local flags = { { 0x80, "SYN" }, { 0x40, "ACK" }, { 0x20, "EAK" }, { 0x10, "RST" }, { 0x08, "SLP" } }

local function flag_names(control)
    local names = {}
    for _, flag in ipairs(flags) do
        if math.floor(control / flag[1]) % 2 == 1 then names[#names + 1] = flag[2] end
    end
    return #names > 0 and table.concat(names, "+") or "no flags"
end

-- One packet with at least its header; what it is called.
local function add_packet(tree, range)
    local item = tree:add(f.packet, range)
    item:add(f.length, range(2, 2))
    local control = range(4, 1):uint()
    local flag_tree = item:add(f.control, range(4, 1))
    for _, field in ipairs({ f.syn, f.ack, f.eak, f.rst, f.slp }) do flag_tree:add(field, range(4, 1)) end
    item:add(f.sequence, range(5, 1))
    item:add(f.acknowledgement, range(6, 1))
    item:add(f.channel, range(7, 1))
    local is_sound = add_checksum(item, f.header_checksum, range(8, 1), range(0, 8))
    local name = flag_names(control)
    if range:len() >= header_length + 2 then
        local payload = range(header_length, range:len() - header_length - 1)
        local looks_like_control = payload:len() >= 2 and payload(0, 2):uint() == 0x4040
        if control >= 0x80 then
            add_synchronization(item, payload)
        elseif math.floor(control / 0x20) % 2 == 1 then
            for at = 0, payload:len() - 1 do item:add(f.missing, payload(at, 1)) end
        elseif looks_like_control then
            name = table.concat(add_messages(item, payload), ", ")
        else
            item:add(f.payload, payload)
            name = "data"
        end
        local is_payload_sound = add_checksum(item, f.payload_checksum, range(range:len() - 1, 1), payload)
        is_sound = is_sound and is_payload_sound
    end
    if not is_sound then name = name .. " (damaged)" end
    item:append_text(": " .. name)
    return name
end

local function is_detection(range)
    return range:len() >= 6 and range(0, 4):uint() == 0xFF550200 and range(4, 2):uint() == 0xEE10
end

-- How many bytes the packet takes that begins here; nothing when none does.
local function packet_length(range)
    if range:len() < header_length or range(0, 2):uint() ~= 0xFF00 + start then return nil end
    local length = range(2, 2):uint()
    if length < header_length or length == header_length + 1 or length > range:len() then return nil end
    return length
end

function link.dissector(buffer, pinfo, root)
    pinfo.cols.protocol = "iAP-style"
    local way = direction()
    if way and way.value == 2 then
        pinfo.cols.src, pinfo.cols.dst = "rig", "device"
    elseif way and way.value == 1 then
        pinfo.cols.src, pinfo.cols.dst = "device", "rig"
    end
    local tree = root:add(link, buffer())
    local names, at = {}, 0
    while at < buffer:len() do
        local rest = buffer(at)
        local length = packet_length(rest)
        if is_detection(rest) then
            tree:add(f.detection, rest(0, 6))
            names[#names + 1] = "detect"
            at = at + 6
        elseif length then
            names[#names + 1] = add_packet(tree, rest(0, length))
            at = at + length
        else
            local stop = at + 1
            while stop < buffer:len() and not is_detection(buffer(stop)) and not packet_length(buffer(stop)) do
                stop = stop + 1
            end
            tree:add(f.garbage, buffer(at, stop - at)):add_proto_expert_info(malformed, "no whole packet")
            names[#names + 1] = string.format("%d bytes of no whole packet", stop - at)
            at = stop
        end
    end
    pinfo.cols.info = table.concat(names, "; ")
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, link)
