//! The memory that a fit may take, and what the machine has free.

use anyhow::bail;
use clap::Args;

use super::GlobalArgs;
use super::values::{readable, size};
use crate::words::LESS_MEMORY;

/// The memory that a fit may take.
#[derive(Debug, Clone, Copy, Args)]
pub struct MemoryArgs {
    /// Refuse a fit that would take more memory than this, e.g. 4G or 512M [default: what the machine has free]
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true, hide_short_help = true)]
    memory: Option<f64>,
}

impl MemoryArgs {
    /// Reports how much a fit is going to take, and refuses it if that is too much.
    pub fn check(self, bytes: f64, global: &GlobalArgs) -> anyhow::Result<()> {
        let needed = readable(bytes);
        let allowed = self.memory.map(|most| (most, "--memory allows"));
        if let Some((most, whose)) = allowed.or_else(|| Some((free()?, "the machine has free")))
            && bytes > most
        {
            bail!("the fit would take about {needed} of memory, {whose} {}: {LESS_MEMORY}", readable(most));
        }
        if bytes >= 1e8 {
            global.warning(&format!("the fit takes about {needed} of memory"));
        }
        Ok(())
    }
}

/// What the machine has free, as far as it is known: less than that if the process is held in a group with a limit.
fn free() -> Option<f64> {
    let table = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = table.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let machine = 1024.0 * line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()?;
    let read = |name: &str| {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse::<f64>().ok()
    };
    let group = read("memory.max").map(|most| most - read("memory.current").unwrap_or(0.0));
    Some(group.map_or(machine, |group| group.min(machine)))
}
