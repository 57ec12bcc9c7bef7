/// `org.dashrig.App`, the apps' interface, as it is served: the documented truth. It only grows, as the control
/// interface does.
public enum AppInterface {
    /// The interface's name, which is also the name of its socket.
    public static let name = "org.dashrig.App"

    /// The methods that stream: they answer only calls with `more`.
    public static let streaming: Set<String> = ["Launch"]

    /// The methods that this version declares and does not do yet.
    public static let reserved: Set<String> = [
        "SetRoot", "Push", "Pop", "PopToRoot", "Present", "Dismiss", "Update", "Complete", "PutImage",
    ]

    /// The interface file.
    public static let description = """
        # What an app is told, and what it answers. An app lives exactly as long as its Launch connection; its other calls
        # go over another connection, each with the token that Launch gave it.
        interface org.dashrig.App

        \(SharedTypes.text)

        # What an app declares of itself: a name of 1 to 128 bytes and, if it has one, its bundle identifier.
        type Manifest (name: string, bundle: ?string)

        # Declare an app. The first reply carries its token (app, unguessable, for the other calls) and id (as others see
        # it); then comes the state that concerns it (state, complete), then everything it is told (event): its session, the
        # session's displays, and input. With a device it is bound to that device; without, it follows the front session.
        # Call it with more.
        method Launch(manifest: Manifest, device: ?string) -> (
          app: ?string,
          id: ?string,
          state: ?State,
          complete: ?bool,
          event: ?Event
        )

        # Send a message of the control session on the session that the app belongs to, by its name in the catalogue or its
        # number (0x5001). Whichever side sends such a message sends it, the rig's own side if nobody is known to; a device
        # on its own wire cannot be made to. Fields as in Rig.Send.
        method Send(app: string, message: string, fields: ?object) -> ()

        # Say that these input events were read. Answers how many of them were still waited for.
        method Acknowledge(app: string, ids: []int, scene: ?string) -> (acknowledged: int)

        # Show a template at the bottom of a scene's stack. Comes with a later version.
        method SetRoot(app: string, scene: ?string, template: ?object) -> ()

        # Show a template on top. Comes with a later version.
        method Push(app: string, scene: ?string, template: ?object) -> ()

        # Take the top template away. Comes with a later version.
        method Pop(app: string, scene: ?string) -> ()

        # Take all but the root away. Comes with a later version.
        method PopToRoot(app: string, scene: ?string) -> ()

        # Show an alert or an action sheet. Comes with a later version.
        method Present(app: string, scene: ?string, template: ?object) -> ()

        # Take the alert or the action sheet away. Comes with a later version.
        method Dismiss(app: string, scene: ?string) -> ()

        # Change a template. Comes with a later version.
        method Update(app: string, scene: ?string, changes: ?object) -> ()

        # Say that a handler is done. Comes with a later version.
        method Complete(app: string, scene: ?string, handler: ?string) -> ()

        # Give an image once, to refer to it by its hash. Comes with a later version.
        method PutImage(app: string, hash: ?string, bytes: ?string) -> ()

        # There is no app with this token: it ended with its Launch connection.
        error UnknownApp ()

        # There is no device of that name; known are the names there are.
        error UnknownDevice (id: string, known: []string)

        # The device has another generation now, or is unplugged.
        error StaleDevice (id: string, generation: int)

        # The caller may not do this.
        error NotPermitted (text: string)

        # A limit is reached: its name in the configuration and its value.
        error LimitReached (limit: string, value: int)

        # Somebody else holds it; since is a time as in Event.
        error Busy (owner: string, since: int)

        # A rule of the simulated system is broken.
        error RuleBroken (rule: string, reason: string, confidence: string)

        # The last reply of a stream whose client did not read; sequence is that of the first event that it missed.
        error SubscriberTooSlow (sequence: int)

        """
}
