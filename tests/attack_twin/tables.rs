//! The tables of the twin: IFT, counters, SW and terrain.

/// FP of the IFT columns (7.3).
pub const COLUMNS: [i64; 11] = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36];

/// The IFT (7.3): a line for each Final DR from 0 to 15, an entry for each column.
pub const IFT: &str = "\
1KIA,2KIA,2KIA,3KIA,3KIA,3KIA,4KIA,4KIA,5KIA,6KIA,7KIA
K/1,1KIA,1KIA,2KIA,2KIA,2KIA,3KIA,3KIA,4KIA,5KIA,6KIA
1MC,K/1,K/2,1KIA,1KIA,1KIA,2KIA,2KIA,3KIA,4KIA,5KIA
1MC,1MC,2MC,K/2,K/2,K/3,1KIA,1KIA,2KIA,3KIA,4KIA
NMC,1MC,1MC,2MC,2MC,3MC,K/3,K/4,1KIA,2KIA,3KIA
PTC,NMC,1MC,1MC,2MC,2MC,3MC,4MC,K/4,1KIA,2KIA
-,PTC,NMC,1MC,1MC,2MC,2MC,3MC,4MC,K/4,1KIA
-,-,PTC,NMC,1MC,1MC,2MC,2MC,3MC,4MC,K/4
-,-,-,PTC,NMC,1MC,1MC,2MC,2MC,3MC,4MC
-,-,-,-,PTC,NMC,1MC,1MC,2MC,2MC,3MC
-,-,-,-,-,PTC,NMC,1MC,1MC,2MC,2MC
-,-,-,-,-,-,PTC,NMC,1MC,1MC,2MC
-,-,-,-,-,-,-,PTC,NMC,1MC,1MC
-,-,-,-,-,-,-,-,PTC,NMC,1MC
-,-,-,-,-,-,-,-,-,PTC,NMC
-,-,-,-,-,-,-,-,-,-,PTC";

/// MMC by nation and kind: strength factors and class, `a` for Assault Fire, `s` for Spraying Fire,
/// `d` if another counter of the nation has the same factors.
pub const MMC: &str = "\
german squad 4-6-8:E:s 5-4-8:E:as 8-3-8:E:as 4-6-7:1:s 4-4-7:2:s 5-3-7:2:as 4-3-6:C:s
german hs 2-4-8:E 2-3-8:E 3-3-8:E 2-4-7:1 2-3-7:2 2-3-6:C
german-ss squad 6-5-8:E:s 4-6-8:E:s 8-3-8:E:as
german-ss hs 3-4-8:E 2-4-8:E 3-3-8:E
russian squad 4-5-8:E 6-2-8:E:asd 5-2-7:1:as 4-4-7:1 6-2-8:2:sd 4-2-6:C
russian hs 2-4-8:E 3-2-8:E:d 2-2-7:1 2-3-7:1 3-2-8:2:d 2-2-6:C
american squad 6-6-7:E:a 7-4-7:E:as 6-6-6:1:a 5-4-6:2:a 5-3-6:G:a
american hs 3-4-7:E 3-3-7:E 3-4-6:1 2-3-6:2 2-2-6:G
british squad 4-5-8:E 6-4-8:E:as 4-5-7:1 4-4-7:2 4-3-6:G
british hs 2-4-8:E 3-3-8:E 2-4-7:1 2-3-7:2 2-2-6:G
french squad 4-5-8:E 4-5-7:1 4-3-7:G
french hs 2-4-8:E 2-3-7:1 2-2-7:G
italian squad 4-4-7:E 3-4-7:1 3-4-6:1 3-3-6:C
italian hs 2-4-7:E 1-3-7:1 1-3-6:1 1-2-6:C
finnish squad 8-3-8:E:as 6-4-8:1:as 5-4-8:1:as 5-3-8:G:as 4-4-7:2:a 4-3-7:C
finnish hs 3-3-8:E 2-4-8:1 2-3-8:1:d 2-3-8:G:d 2-3-7:2 2-2-7:C
axis-minor squad 4-4-7:E 5-3-7:1:a 3-4-7:1 3-3-6:C
axis-minor hs 2-4-7:E 2-2-7:1:d 1-3-7:1 1-2-6:C
partisan squad 3-3-7:P
partisan hs 1-3-7:P
german crew 2-2-8:E
russian crew 2-2-8:E
british crew 2-2-8:E
finnish crew 2-2-8:E
french crew 2-2-8:E
american crew 2-2-7:E
italian crew 2-2-7:E
axis-minor crew 2-2-7:E:d";

/// SW by nation: name, type, FP, Normal Range, ROF, B# and X#, 0 for none.
pub const WEAPONS: &str = "\
german; lmg,mg,3,8,1,12,0; mmg,mg,5,12,2,12,0; hmg,mg,7,16,3,12,0; dm mmg,mg,3,8,1,12,0
german; dm hmg,mg,3,8,1,12,0; lmg(f),mg,2,6,1,11,0; atr,atr,1,12,0,12,0; ft,ft,24,1,0,0,10
german; dc,dc,30,1,0,0,12
russian; lmg,mg,2,6,1,11,0; mmg,mg,4,10,2,11,0; hmg,mg,6,12,3,12,0; .50-cal,mg,8,16,3,12,0
russian; atr,atr,1,12,0,12,0; ft,ft,24,1,0,0,10; dc,dc,30,1,0,0,12
american; lmg,mg,2,6,1,11,0; mmg,mg,4,10,2,12,0; hmg,mg,6,12,3,12,0; .50-cal,mg,8,16,3,12,0
american; atr,atr,1,12,0,12,0; ft,ft,24,1,0,0,10; dc,dc,30,1,0,0,12
british; lmg,mg,2,7,1,12,0; mmg,mg,4,12,2,12,0; hmg,mg,6,14,3,12,0; mmg(a),mg,4,10,2,12,0
british; hmg(a),mg,6,12,3,12,0; .50-cal(a),mg,8,16,3,12,0; atr,atr,1,12,0,12,0; ft,ft,24,1,0,0,10
british; dc,dc,30,1,0,0,12
french; lmg,mg,2,6,1,11,0; mmg,mg,4,11,2,12,0; hmg,mg,6,12,3,11,0; atr,atr,1,12,0,12,0
french; ft,ft,24,1,0,0,10; dc,dc,30,1,0,0,12
italian; lmg,mg,2,5,1,11,0; mmg,mg,4,10,2,11,0; hmg,mg,6,12,3,11,0; atr,atr,1,12,0,12,0
italian; ft,ft,24,1,0,0,10; dc,dc,30,1,0,0,12
finnish; lmg,mg,2,8,1,11,0; mmg,mg,5,12,2,12,0; hmg,mg,7,16,3,12,0; lmg(r),mg,2,6,1,11,0
finnish; mmg(r),mg,4,10,2,11,0; hmg(r),mg,6,12,3,12,0; atr(b),atr,1,12,0,12,0; ft,ft,24,1,0,0,10
finnish; dc,dc,30,1,0,0,12
axis-minor; lmg,mg,2,7,1,11,0; lmg(g),mg,3,8,1,12,0; lmg(f),mg,2,6,1,11,0; lmg(i),mg,2,5,1,11,0
axis-minor; mmg,mg,4,10,2,11,0; hmg,mg,6,12,3,11,0; atr,atr,1,12,0,12,0; ft,ft,24,1,0,0,10
axis-minor; dc,dc,30,1,0,0,12";

/// Terrain: word, TEM, Open Ground (10.531), effect on a LOS, twice the level of its top.
pub const TERRAIN: &str = "\
open 0 open clear 0, road 0 open clear 0, sunken-road 0 open clear -2, \
elevated-road 0 open clear 2, runway 0 open clear 0, brush 0 not hindrance 0, \
vineyard 0 not hindrance 0, woods 1 not obstacle 2, woods-path 1 not obstacle 2, \
pine-woods 1 not obstacle 2, forest 2 not obstacle 4, light-woods 1 not hindrance 2, \
orchard 0 not hindrance 2, cactus-patch 1 not clear 0, olive-grove 1 not hindrance 2, \
grain 0 not hindrance 0, grain-plowed 0 open clear 0, grain-off 0 open clear 0, \
marsh 0 not hindrance 0, mudflat 0 open clear 0, crag 1 not hindrance 0, \
graveyard 1 not hindrance 0, gully 0 open clear -2, stream-dry 0 open clear -2, \
stream-shallow 0 open clear -2, stream-deep 0 open clear -2, wooden 2 not obstacle 2, \
stone 3 not obstacle 2, marketplace 0 open obstacle 2, lumberyard 1 not half-level 1, \
rubble-wood 2 not half-level 1, rubble-stone 3 not half-level 1, debris 1 not hindrance 0, \
rail-car 2 not obstacle 2, rail-car-wrecked 2 not half-level 1";

pub const RANKS: [&str; 8] = ["10-3", "10-2", "9-2", "9-1", "8-1", "8-0", "7-0", "6+1"];
pub const FINNISH_RANKS: [&str; 7] = ["10-2", "10-1", "10-0", "9-1", "9-0", "8-0", "8+1"];
/// Ranks of Commissars (25.22).
pub const COMMISSAR_RANKS: [&str; 3] = ["10-0", "9-0", "8+1"];
#[rustfmt::skip]
pub const NATIONS: [&str; 10] = [
    "german", "german-ss", "russian", "american", "british", "french", "italian", "finnish",
    "axis-minor", "partisan",
];
