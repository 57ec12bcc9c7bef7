import Glibc

exit(BenchmarkProgram.run())
