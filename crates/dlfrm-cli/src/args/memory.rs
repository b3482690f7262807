//! `--memory`: how much of it a fit may take.

use anyhow::bail;
use clap::Args;

use super::GlobalArgs;
use crate::table::counted;

/// The memory that a fit may take.
#[derive(Debug, Clone, Copy, Args)]
pub struct MemoryArgs {
    /// Refuse a fit that would take more memory than this, e.g. 4G or 512M [default: what the machine has free]
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true, hide_short_help = true)]
    memory: Option<f64>,
}

impl MemoryArgs {
    /// Reports how much a fit is going to take, and refuses it if that is too much.
    /// `advice` says what takes less.
    pub fn check(self, bytes: f64, advice: &str, global: &GlobalArgs) -> anyhow::Result<()> {
        let needed = readable(bytes);
        let allowed = self.memory.map(|most| (most, "--memory allows"));
        let known = allowed.or_else(|| free().map(|free| (free, "the machine has free")));
        let (most, whose) = known.unwrap_or((f64::INFINITY, ""));
        if bytes > most {
            bail!("the fit would take about {needed} of memory, {whose} {}: {advice}", readable(most));
        }
        if bytes >= WORTH_REPORTING {
            global.warning(&format!("the fit takes about {needed} of memory"));
        }
        Ok(())
    }
}

/// What takes less memory in a fit that begins.
pub(crate) const LESS_MEMORY: &str = "sample fewer non-links (--negatives), run fewer chains at once (--threads) or keep fewer draws (--draws)";
/// What takes less memory where non-links are as they are.
pub const LESS_MEMORY_OF_CHAINS: &str =
    "run fewer chains at once (--threads) or keep fewer draws (--draws)";
/// What takes less memory in a fit that goes on.
pub(crate) const LESS_MEMORY_TO_GO_ON: &str = "run fewer chains at once (--threads)";

/// A fit that takes less is not announced.
const WORTH_REPORTING: f64 = 1e8;

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

const UNITS: [(&str, f64); 4] =
    [("G", 1_073_741_824.0), ("M", 1_048_576.0), ("K", 1024.0), ("T", 1_099_511_627_776.0)];

/// Reads a number of bytes with an optional unit.
fn size(text: &str) -> Result<f64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let number = upper.trim_end_matches("IB").trim_end_matches('B');
    let (number, unit) = UNITS
        .iter()
        .find_map(|(name, unit)| number.strip_suffix(name).map(|number| (number, *unit)))
        .unwrap_or((number, 1.0));
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number * unit),
        _ => Err("expected a size above 0 such as 4G, 512M or 1000000".to_owned()),
    }
}

fn readable(bytes: f64) -> String {
    if bytes >= UNITS[0].1 {
        format!("{:.1} GiB", bytes / UNITS[0].1)
    } else if bytes >= UNITS[1].1 {
        format!("{:.0} MiB", (bytes / UNITS[1].1).ceil())
    } else if bytes < UNITS[2].1 {
        counted(bytes as usize, "byte")
    } else {
        format!("{:.0} KiB", (bytes / UNITS[2].1).ceil())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("1000", 1000.0),
            ("2K", 2048.0),
            ("1.5M", 1_572_864.0),
            ("1 gib", UNITS[0].1),
            ("3GB", 3.0 * UNITS[0].1),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for bad in ["", "G", "-1", "0", "4X", "NaN", "inf"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        let readable = [1.0, 1000.0, 1500.0, 3e9].map(readable);
        assert_eq!(readable, ["1 byte", "1000 bytes", "2 KiB", "2.8 GiB"]);
    }
}
