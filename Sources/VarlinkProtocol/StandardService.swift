extension InterfaceDescription {
    /// `org.varlink.service`, which every Varlink service has. The members are the published contract; the last two
    /// errors are newer than some implementations.
    static let standardServiceText = """
        # What this service is and which interfaces it has. Every Varlink service answers this interface.
        interface org.varlink.service

        # Who made the service, which version runs, and the interfaces that it has.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The description text of one of the interfaces.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The service does not have this interface.
        error InterfaceNotFound (interface: string)

        # The interface does not have this method.
        error MethodNotFound (method: string)

        # The interface has this method, but the service does not implement it.
        error MethodNotImplemented (method: string)

        # A parameter is missing, unknown, or has a value that it cannot have.
        error InvalidParameter (parameter: string)

        # The caller may not call this method.
        error PermissionDenied ()

        # The method must be called with "more".
        error ExpectedMore ()

        """
}
