//! The `lowcrawl` command.

fn main() -> std::process::ExitCode {
    lowcrawl::cli::main()
}
