import Glibc

exit(FuzzProgram.run())
