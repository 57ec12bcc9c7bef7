import DashrigCommands
import Glibc

exit(DashrigTool.main())
