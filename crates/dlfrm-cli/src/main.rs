//! The command `dlfrm`: from an edge list to predicted links.

fn main() -> std::process::ExitCode {
    dlfrm_cli::execute::<dlfrm_cli::Cli>()
}
