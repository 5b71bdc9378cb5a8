//! rigscope
fn main() {
    env_logger::init();
    let file = std::env::args_os().nth(1).map(Into::into);
    if let Err(error) = rigscope::app::run(rigscope::app::Options { file }) {
        eprintln!("{error}");
        std::process::exit(2);
    }
}
