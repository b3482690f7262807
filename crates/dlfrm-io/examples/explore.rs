fn main() {
    let args: Vec<String> = std::env::args().collect();
    let t = std::time::Instant::now();
    let model = dlfrm_io::load_model(std::path::Path::new(&args[1])).unwrap();
    println!("read {:?}", t.elapsed());
    let count: usize = args[2].parse().unwrap();
    let t = std::time::Instant::now();
    let node = args.get(3).map(|n| n.parse::<u32>().unwrap());
    for (i, j, p) in model.missing_of(&model.relations[0], count, node).iter().take(12) { println!("{i} {j} {p:?}"); }
    println!("top {:?}", t.elapsed());
}
