//! The arguments of the command line.

mod global;
mod limits;
mod model_file;
mod network;
mod output;
mod settings;
mod side_info;
mod values;

pub use global::GlobalArgs;
pub(crate) use limits::{ControlArgs, LESS_MEMORY, LESS_MEMORY_TO_GO_ON};
pub use limits::{LESS_MEMORY_OF_CHAINS, MemoryArgs};
pub(crate) use model_file::{
    ModelFileArgs, check_finished, load_model, load_noting, model_of_checkpoint, unfinished,
};
pub use network::ModeArgs;
pub(crate) use network::{LayoutArgs, NetworkArgs, SharingArgs, read_added};
pub(crate) use output::{
    check_absent, check_checkpoint, check_distinct, check_folder, check_model_output, check_page_output,
    check_trace_output, former, make_folder, read_only,
};
pub use settings::SettingArgs;
pub(crate) use settings::model_help;
pub(crate) use side_info::SideInfoArgs;
pub use values::{count, number, runs};
pub(crate) use values::{count_from, duration, whole_number};
