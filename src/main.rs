//! The program. All of it is in the library, in the module `cli`.

fn main() {
    unthink::internals::main();
}
