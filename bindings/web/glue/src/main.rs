//! `glue IN.wasm DIR` writes the files a page needs to load a module: JavaScript, its types, and
//! the module itself.

use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (module, folder) = words.next().zip(words.next()).ok_or("glue IN.wasm DIR")?;
    let mut glue = Bindgen::new();
    glue.input_path(module).web(true)?.typescript(true);
    glue.remove_name_section(true).remove_producers_section(true);
    Ok(glue.generate(folder)?)
}
