//! `glue IN.wasm DIR` writes the files a page needs to load a module: JavaScript, its types, the
//! module itself, and the module packed for the one file.

use std::error::Error;
use std::fs::{File, read};
use std::num::NonZero;
use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;
use zopfli::{Format, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (module, folder) = words.next().zip(words.next()).ok_or("glue IN.wasm DIR")?;
    let mut glue = Bindgen::new();
    glue.input_path(module).web(true)?.typescript(true);
    glue.remove_name_section(true).remove_producers_section(true);
    glue.generate(&folder)?;
    let folder = Path::new(&folder);
    let module = read(folder.join("lowcrawl_web_bg.wasm"))?;
    // One iteration packs 10 MB in seconds.
    let options = Options { iteration_count: NonZero::<u64>::MIN, ..Options::default() };
    let packed = File::create(folder.join("module.gz"))?;
    Ok(zopfli::compress(options, Format::Gzip, &module[..], packed)?)
}
