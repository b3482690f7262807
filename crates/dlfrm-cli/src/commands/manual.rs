//! `dlfrm completions` and `dlfrm man`: files for shells and for `man`, made from the arguments themselves.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

/// The arguments of `dlfrm completions`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm completions bash > ~/.local/share/bash-completion/completions/dlfrm")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// The arguments of `dlfrm man`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm man fit | man -l -")]
pub(crate) struct ManArgs {
    /// The page of a command [default: the page of dlfrm]
    command: Option<String>,
}

pub(crate) fn completions(
    args: &CompletionsArgs,
    mut program: Command,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut program, "dlfrm", &mut text);
    out.write_all(&text)?;
    Ok(())
}

pub(crate) fn man(args: &ManArgs, mut all: Command, out: &mut dyn Write) -> anyhow::Result<()> {
    all.build();
    let command = match &args.command {
        None => all,
        Some(name) => {
            let Some(found) = all.find_subcommand(name) else {
                anyhow::bail!("there is no command '{name}'")
            };
            // The program ends after this page.
            found.clone().name(&*format!("dlfrm-{name}").leak())
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    out.write_all(&text)?;
    Ok(())
}
