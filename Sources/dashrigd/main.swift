import DashrigDaemon
import Glibc

exit(DaemonMain.run(Array(CommandLine.arguments.dropFirst())))
