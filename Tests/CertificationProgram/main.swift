import Glibc

exit(CertificationProgram.run(Array(CommandLine.arguments.dropFirst())))
