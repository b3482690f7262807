use rayon::prelude::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let model = dlfrm_io::load_model(std::path::Path::new(&args[1])).unwrap();
    let step: usize = args[2].parse().unwrap();
    let lambda: f64 = args[3].parse().unwrap();
    let rel = &model.relations[0];
    let p = &rel.posterior;
    let n = p.entities();
    let cov = p.covariates().unwrap();
    let draws = p.draws();
    let nd = draws.len() as f64;
    let a: Vec<f64> = (0..cov.names().len()).map(|c| { let s = cov.scales()[c]; if s.deviation == 0.0 { 0.0 } else { draws.iter().map(|d| d.linear.coefficients[c]).sum::<f64>() / nd / s.deviation } }).collect();
    let c0 = draws.iter().map(|d| d.intercept).sum::<f64>() / nd - a.iter().zip(cov.scales()).map(|(a, s)| a * s.mean).sum::<f64>();
    println!("c0 {c0} a {a:?}");
    let t0 = std::time::Instant::now();
    let mut adj = vec![vec![]; n];
    for &(i, j) in &rel.links { adj[i as usize].push(j); adj[j as usize].push(i); }
    for l in &mut adj { l.sort_unstable(); }
    let d: Vec<f64> = adj.iter().map(|l| l.len() as f64).collect();
    let r: Vec<f64> = d.iter().map(|d| 1.0 / d.max(1.0).sqrt()).collect();
    // latent
    let pl: Vec<f64> = (0..n).map(|i| draws.iter().map(|dr| dr.row(i).iter().map(|&k| dr.weight(k as usize, k as usize).max(0.0)).sum::<f64>()).sum::<f64>() / nd).collect();
    // walks
    struct Desc { max: f64, norm: f64, total: f64, closed: f64, amax: f64, anorm: f64, atotal: f64 }
    let desc: Vec<Desc> = (0..n).into_par_iter().map_init(|| (vec![0.0f64; n], vec![false; n], Vec::<u32>::new()), |(st, mark, reached), i| {
        for &u in &adj[i] { mark[u as usize] = true; }
        let mut closed = 0.0;
        for &u in &adj[i] { let x = r[u as usize]; for &v in &adj[u as usize] {
            if v as usize == i { continue; }
            if mark[v as usize] { closed += 1.0; }
            if st[v as usize] == 0.0 { reached.push(v); } st[v as usize] += x; } }
        let (mut max, mut norm, mut total) = (0.0f64, 0.0, 0.0);
        let (mut amax, mut anorm, mut atotal) = (0.0f64, 0.0, 0.0);
        for v in reached.drain(..) { let y = st[v as usize] * r[v as usize]; st[v as usize] = 0.0;
            amax = amax.max(y); anorm += y * y; atotal += y;
            if !mark[v as usize] { max = max.max(y); norm += y * y; total += y; } }
        for &u in &adj[i] { mark[u as usize] = false; }
        Desc { max, norm: norm.sqrt(), total, closed, amax, anorm: anorm.sqrt(), atotal }
    }).collect();
    println!("walks {:?}", t0.elapsed());
    let ln: Vec<f64> = d.iter().map(|d| d.ln_1p()).collect();
    let own = |i: usize, larger: bool| {
        let cl = if d[i] < 2.0 { 0.0 } else { desc[i].closed / (d[i] * (d[i] - 1.0)) };
        let ml = if d[i] < 1.0 { 0.0 } else { adj[i].iter().map(|&u| ln[u as usize]).sum::<f64>() / d[i] };
        let l = ln[i];
        if larger { (a[6] * l + a[10] * l * l + a[14] * cl + a[16] * f64::from(cl == 0.0) + a[17] * ml, a[8] * l) }
        else { (a[7] * l + a[11] * l * l + a[13] * f64::from(d[i] == 0.0) + a[15] * cl + a[18] * ml, a[9] * l) }
    };
    let first: Vec<(f64, f64)> = (0..n).map(|i| own(i, true)).collect();
    let second: Vec<(f64, f64)> = (0..n).map(|i| own(i, false)).collect();
    let tsup = |t: f64, mean: f64| -> f64 {
        // pieces
        let lbar = (10.0 * t).ln_1p();
        let mut best = a[19];
        if t <= 0.0 { return best; }
        let mut lo = 0.0f64;
        let w = 0.125;
        while lo < lbar {
            let hi = (lo + w).min(lbar);
            let q = |l: f64| a[20] * l + a[21] * l * l;
            let mut m = q(lo).max(q(hi));
            if a[21] < 0.0 { let peak = -a[20] / (2.0 * a[21]); if peak > lo && peak < hi { m = q(peak); } }
            let tt = if a[22] < 0.0 { lo.exp_m1() } else { hi.exp_m1() };
            m += a[22] * (tt / mean).ln_1p();
            best = best.max(m);
            lo = hi;
        }
        best
    };
    // table
    let (nl, nm) = (128usize, 128usize);
    let lmax = 12.0; let mmax = d.iter().fold(1.0f64, |a, &b| a.max(b)).ln() + 0.01;
    let mut table = vec![0.0; nl * nm];
    for k in 0..nl { for m in 0..nm {
        let t = ((k + 1) as f64 * lmax / nl as f64).exp_m1() / 10.0;
        let me = |x: usize| (x as f64 * mmax / nm as f64).exp();
        table[k * nm + m] = tsup(t, me(m)).max(tsup(t, me(m + 1)));
    } }
    let tb = |t: f64, lmean: f64| -> f64 { if t <= 0.0 { return a[19]; } let k = (((10.0 * t).ln_1p()) * nl as f64 / lmax) as usize; let m = (lmean * nm as f64 / mmax) as usize; table[k.min(nl - 1) * nm + m.min(nm - 1)] };
    let lnd: Vec<f64> = d.iter().map(|d| d.max(1.0).ln()).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&x, &y| d[y].total_cmp(&d[x]).then(x.cmp(&y)));
    println!("degrees {:?}", order.iter().take(5).map(|&i| (d[i], desc[i].max, desc[i].norm, desc[i].total)).collect::<Vec<_>>());
    let t1 = std::time::Instant::now();
    let res: Vec<(usize, [usize; 6], f64, usize)> = (0..n).into_par_iter().filter(|x| x % step == 0).map(|rank| {
        let i = order[rank];
        let di = &desc[i];
        let u = c0 + a[0] + first[i].0 + first[i].1;
        let mut cnt = [0; 6]; let mut best = -99.0f64;
        let mut work = 0;
        for &j in &order[rank + 1..] {
            let dj = &desc[j];
            let b = u + second[j].0 + second[j].1 + a[12] * ln[i] * ln[j];
            let lat = pl[i].min(pl[j]);
            let t = (d[i] * dj.max).min(d[i].sqrt() * dj.norm).min(dj.total).min(d[j] * di.max).min(d[j].sqrt() * di.norm).min(di.total);
            let ub = b + tb(t, 0.5 * (lnd[i] + lnd[j])) + lat;
            best = best.max(ub);
            for (k, c) in cnt.iter_mut().enumerate() { if ub >= lambda + k as f64 * 0.5 { *c += 1; } }
            if ub >= lambda { work += d[j] as usize; }
        }
        (rank, cnt, best, work)
    }).collect();
    println!("pairs {:?}", t1.elapsed());
    let mut tot = [0usize; 6]; let mut src = [0usize; 6]; let mut work = 0;
    for r in &res { work += r.3; for k in 0..6 { tot[k] += r.1[k]; src[k] += usize::from(r.1[k] > 0); } }
    println!("work {} pairs passing {:?} sources {:?}", work * step, tot.map(|x| x * step), src.map(|x| x * step));
    for r in res.iter().step_by((res.len() / 30).max(1)) { println!("{:?} degree {}", r, d[order[r.0]]); }
}
