//! Random lanes; equal seeds give equal lanes.

use super::ground::Terrain;
use super::{OwnRph, Phase, TwinLane, TwinUnit};

/// Squads, half-squads and crews of every nation, some underlined and some that cannot be Replaced.
const MMC: [&str; 30] = [
    "ger_1_467",
    "ger_1_467",
    "ger_E_468",
    "ger_2_447",
    "ger_C_436",
    "ger_E_838",
    "ger_1_247",
    "ger_C_236",
    "ger_E_338",
    "ger_crew_228",
    "ss_E_658",
    "ss_E_348",
    "rus_1_447",
    "rus_C_426",
    "rus_2_628",
    "rus_E_458",
    "usa_E_747",
    "usa_1_666",
    "usa_G_536",
    "bri_E_648",
    "bri_1_457",
    "fin_1_648",
    "fin_E_838",
    "fin_C_437",
    "ita_1_346",
    "axm_C_336",
    "par_337",
    "par_137",
    "fre_1_457",
    "any_vcrew_127",
];
const LEADERS: [&str; 15] = [
    "ger_ldr_10-2",
    "ger_ldr_9-2",
    "ger_ldr_9-1",
    "ger_ldr_8-1",
    "ger_ldr_8-0",
    "ger_ldr_7-0",
    "ger_ldr_6+1",
    "ss_ldr_9-1",
    "rus_ldr_8-0",
    "rus_ldr_7-0",
    "usa_ldr_9-1",
    "fin_ldr_9-0",
    "fin_ldr_8+1",
    "par_ldr_6+1",
    "ita_ldr_8-1",
];
const COMMISSARS: [&str; 2] = ["rus_com_9-0", "rus_com_10-0"];
const GROUND: [Terrain; 6] = [
    Terrain::Open,
    Terrain::Brush,
    Terrain::Grain,
    Terrain::Woods,
    Terrain::WoodenBuilding,
    Terrain::StoneBuilding,
];

struct Luck(u64);

impl Luck {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn one<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len() as u64) as usize]
    }

    fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    fn some<T>(&mut self, chance: u64, what: impl FnOnce(&mut Luck) -> T) -> Option<T> {
        self.percent(chance).then(|| what(self))
    }
}

pub fn random_lane(seed: u64) -> TwinLane {
    let luck = &mut Luck(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0xd134_2543_de82_ef95));
    luck.below(2);
    let open = luck.one(&[0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8]);
    let interdicted = luck.one(&[0, 1, 1, 2, 3, open, open]).min(open);
    let near = luck.one(&[1, 1, 2, 3, 6, 16]).min(16 - interdicted);
    let range = if interdicted == 0 && luck.percent(20) { 20 } else { near };
    // One building of two hexes is left out.
    let grounds = if open == 0 { &GROUND[..4] } else { &GROUND[..] };
    let unit = random_unit(luck);
    let lent = |luck: &mut Luck| match unit.id.starts_with("rus") && luck.percent(40) {
        true => luck.one(&COMMISSARS),
        false => luck.one(&LEADERS),
    };
    let leader = luck.some(60, lent);
    TwinLane {
        unit,
        here: if luck.percent(60) { Terrain::Open } else { luck.one(grounds) },
        cover: luck.one(&GROUND[3..]),
        open,
        interdicted,
        exposed: luck.percent(75),
        range,
        fp: luck.one(&[0, 1, 2, 4, 6, 8, 12, 16, 24]),
        cover_fp: luck.one(&[0, 0, 1, 2, 4, 8, 16]),
        drm: luck.below(6) as i32 - 2,
        cowering: luck.one(&[0, 1, 1, 1, 2]),
        leader,
        leader_here: luck.some(35, lent),
        leader_turn: leader.and_then(|_| luck.some(30, |luck| 1 + luck.below(4) as u8)),
        elr: luck.below(6) as i32,
        turns: 1 + luck.below(4) as u8,
        begin: luck.one(&[Phase::Rout, Phase::Rout, Phase::Rally, Phase::Fire]),
        own_rph: luck.one(&[OwnRph::Odd, OwnRph::Even, OwnRph::Never, OwnRph::Unsaid]),
        enemy_holds_fire: luck.percent(35),
        no_quarter: luck.percent(20),
    }
}

fn random_unit(luck: &mut Luck) -> TwinUnit {
    let is_leader = luck.percent(25);
    let id = if is_leader { luck.one(&LEADERS) } else { luck.one(&MMC) };
    let broken = luck.percent(85);
    let fanatic = luck.percent(12);
    // 19.12, 10.8: Partisans and Fanatics are never Disrupted, and crews not by an ELR failure.
    let disrupted =
        broken && luck.percent(10) && !id.starts_with("par") && !id.contains("crew") && !fanatic;
    TwinUnit {
        id,
        broken,
        dm: broken && luck.percent(60),
        disrupted,
        wounded: is_leader && luck.percent(35),
        fanatic,
    }
}
