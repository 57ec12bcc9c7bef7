/// Whole handshakes.
enum HandshakeBenchmarks {
    static var all: [Benchmark] { [] }
}
