// ControlProtocol: see the architecture table; this file goes when the first real one comes.
