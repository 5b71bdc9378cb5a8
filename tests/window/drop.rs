//! Drops files on a window as a file manager does: the source's side of XDND 5.

use std::{path::Path, time::Duration};

use x11rb::{
    connection::Connection,
    protocol::{
        Event,
        xproto::{
            Atom, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
            SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, Window, WindowClass,
        },
    },
    rust_connection::RustConnection,
    wrapper::ConnectionExt as _,
};

pub struct Source {
    x: RustConnection,
    window: Window,
    target: Window,
}

impl Source {
    pub fn new(display: &str, target: Window) -> Self {
        let (x, screen) = x11rb::connect(Some(display)).expect("the X server answers");
        let root = x.setup().roots[screen].root;
        let window = x.generate_id().expect("an id");
        x.create_window(
            0,
            window,
            root,
            -10,
            -10,
            1,
            1,
            0,
            WindowClass::INPUT_OUTPUT,
            0,
            &CreateWindowAux::new(),
        )
        .expect("sent");
        let source = Self { x, window, target };
        let selection = source.atom("XdndSelection");
        (source.x)
            .set_selection_owner(window, selection, x11rb::CURRENT_TIME)
            .expect("sent");
        source
    }

    /// Carries the files to a place on the screen and holds them there until the
    /// target has looked at them.
    pub fn hover(&self, files: &[&Path], [x, y]: [u32; 2]) {
        let version = 5 << 24;
        let uris = self.atom("text/uri-list");
        self.tell("XdndEnter", [self.window, version, uris, 0, 0]);
        let copy = self.atom("XdndActionCopy");
        let position = x << 16 | y;
        self.tell("XdndPosition", [self.window, 0, position, 0, copy]);
        self.serve_until(files, "XdndStatus");
    }

    /// Lets go.
    pub fn release(&self, files: &[&Path]) {
        self.tell("XdndDrop", [self.window, 0, x11rb::CURRENT_TIME, 0, 0]);
        self.serve_until(files, "XdndFinished");
    }

    fn atom(&self, name: &str) -> Atom {
        let cookie = self.x.intern_atom(false, name.as_bytes()).expect("sent");
        cookie.reply().expect("answered").atom
    }

    fn tell(&self, message: &str, data: [u32; 5]) {
        let event = ClientMessageEvent::new(32, self.target, self.atom(message), data);
        self.x
            .send_event(false, self.target, EventMask::NO_EVENT, event)
            .expect("sent");
        self.x.flush().expect("flushed");
    }

    /// Answers requests for the list of files until the target sends a message.
    fn serve_until(&self, files: &[&Path], message: &str) {
        let message = self.atom(message);
        super::desk::wait_for(super::SOON, "the target of the drop", &mut || {
            while let Some(event) = self.x.poll_for_event().expect("connected") {
                match event {
                    Event::SelectionRequest(request) => {
                        let list: String = files
                            .iter()
                            .map(|path| format!("file://{}\r\n", path.display()))
                            .collect();
                        self.x
                            .change_property8(
                                PropMode::REPLACE,
                                request.requestor,
                                request.property,
                                request.target,
                                list.as_bytes(),
                            )
                            .expect("sent");
                        let notify = SelectionNotifyEvent {
                            response_type: SELECTION_NOTIFY_EVENT,
                            sequence: 0,
                            time: request.time,
                            requestor: request.requestor,
                            selection: request.selection,
                            target: request.target,
                            property: request.property,
                        };
                        self.x
                            .send_event(false, request.requestor, EventMask::NO_EVENT, notify)
                            .expect("sent");
                        self.x.flush().expect("flushed");
                    }
                    Event::ClientMessage(told) if told.type_ == message => return true,
                    _ => {}
                }
            }
            std::thread::sleep(Duration::from_millis(10));
            false
        });
    }
}
