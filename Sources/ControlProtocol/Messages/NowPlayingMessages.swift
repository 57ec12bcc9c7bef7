/// 5001: what plays on the phone; only what is asked for by 5000 and has changed. Fields and types as in NOC, LIVI, POD.
public struct NowPlayingUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.nowPlayingUpdate

    /// What kind of thing the playback does.
    public enum State: UInt8, Hashable, Sendable, CaseIterable {
        case stopped = 0
        case playing = 1
        case paused = 2
        case seekingForward = 3
        case seekingBackward = 4
    }

    /// The order of playback.
    public enum Shuffle: UInt8, Hashable, Sendable, CaseIterable {
        case off = 0
        case songs = 1
        case albums = 2
    }

    /// What follows the last item.
    public enum Repeat: UInt8, Hashable, Sendable, CaseIterable {
        case off = 0
        case one = 1
        case all = 2
    }

    /// Parameter 0: what is played.
    public struct MediaItem: FieldMapped {
        /// Parameter 0: the phone's number of it.
        public var identifier: UInt64?
        /// Parameter 1.
        public var title: String?
        /// Parameter 2: bits, 1 music, 2 podcast, 4 audio book (NOC).
        public var mediaTypes: UInt32?
        /// Parameter 4, in ms.
        public var duration: UInt32?
        /// Parameter 6.
        public var album: String?
        /// Parameter 7, from 1.
        public var trackNumber: UInt16?
        /// Parameter 8.
        public var trackCount: UInt16?
        /// Parameter 12.
        public var artist: String?
        /// Parameter 14.
        public var albumArtist: String?
        /// Parameter 16.
        public var genre: String?
        /// Parameter 21.
        public var canBeLiked: Bool?
        /// Parameter 22.
        public var canBeBanned: Bool?
        /// Parameter 23.
        public var isLiked: Bool?
        /// Parameter 24.
        public var isBanned: Bool?
        /// Parameter 25.
        public var isOnDevice: Bool?
        /// Parameter 26: the file transfer in which the artwork comes.
        public var artworkTransfer: UInt8?
        /// Parameter 27.
        public var chapterCount: UInt16?

        /// An item of which nothing is said.
        public init() {}

        /// Its parameters.
        public static let bindings: [FieldBinding<MediaItem>] = [
            .integer(0, "identifier", \.identifier), .text(1, "title", \.title),
            .integer(2, "mediaTypes", \.mediaTypes), .integer(4, "duration", \.duration), .text(6, "album", \.album),
            .integer(7, "trackNumber", \.trackNumber), .integer(8, "trackCount", \.trackCount),
            .text(12, "artist", \.artist), .text(14, "albumArtist", \.albumArtist), .text(16, "genre", \.genre),
            .boolean(21, "canBeLiked", \.canBeLiked), .boolean(22, "canBeBanned", \.canBeBanned),
            .boolean(23, "isLiked", \.isLiked), .boolean(24, "isBanned", \.isBanned),
            .boolean(25, "isOnDevice", \.isOnDevice), .integer(26, "artworkTransfer", \.artworkTransfer),
            .integer(27, "chapterCount", \.chapterCount),
        ]
    }

    /// Parameter 1: how it is played.
    public struct Playback: FieldMapped {
        /// Parameter 0.
        public var state: State?
        /// Parameter 1, in ms.
        public var elapsed: UInt32?
        /// Parameter 2, from 0.
        public var queueIndex: UInt32?
        /// Parameter 3.
        public var queueCount: UInt32?
        /// Parameter 4, from 0.
        public var chapterIndex: UInt32?
        /// Parameter 5.
        public var shuffle: Shuffle?
        /// Parameter 6.
        public var repeats: Repeat?
        /// Parameter 7: the app's name.
        public var appName: String?
        /// Parameter 8.
        public var libraryIdentifier: String?
        /// Parameter 12, times 100.
        public var speed: UInt16?
        /// Parameter 13: 5003 may set the elapsed time.
        public var isSeekable: Bool?
        /// Parameter 14.
        public var hasQueueList: Bool?
        /// Parameter 15: the file transfer in which the queue comes.
        public var queueTransfer: UInt8?
        /// Parameter 16: the app's bundle identifier.
        public var bundleIdentifier: String?

        /// A playback of which nothing is said.
        public init() {}

        /// Its parameters.
        public static let bindings: [FieldBinding<Playback>] = [
            .choice(0, "state", \.state), .integer(1, "elapsed", \.elapsed), .integer(2, "queueIndex", \.queueIndex),
            .integer(3, "queueCount", \.queueCount), .integer(4, "chapterIndex", \.chapterIndex),
            .choice(5, "shuffle", \.shuffle), .choice(6, "repeats", \.repeats), .text(7, "appName", \.appName),
            .text(8, "libraryIdentifier", \.libraryIdentifier), .integer(12, "speed", \.speed),
            .boolean(13, "isSeekable", \.isSeekable), .boolean(14, "hasQueueList", \.hasQueueList),
            .integer(15, "queueTransfer", \.queueTransfer), .text(16, "bundleIdentifier", \.bundleIdentifier),
        ]
    }

    /// Parameter 0.
    public var mediaItem: MediaItem?
    /// Parameter 1.
    public var playback: Playback?

    /// An update that says nothing.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<NowPlayingUpdate>] = [
        .group(0, "mediaItem", \.mediaItem), .group(1, "playback", \.playback),
    ]
}

extension NowPlayingUpdate.State: WireChoice {}
extension NowPlayingUpdate.Shuffle: WireChoice {}
extension NowPlayingUpdate.Repeat: WireChoice {}
