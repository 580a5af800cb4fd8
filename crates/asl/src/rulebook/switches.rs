//! The table of interpretations. It declares the switches too.

use super::Profile;

/// A switch with its question and its two values. A question with more than two values has one
/// switch for each value that is not the default.
#[derive(Clone, Copy, Debug)]
pub struct Interpretation {
    pub switch: Switch,
    /// The name used on the command line, such as `i01`.
    pub id: &'static str,
    /// The names of the default value and of the alternative value.
    pub values: [&'static str; 2],
    /// A former name of the alternative value, which is still accepted.
    pub also: Option<&'static str>,
    /// The numbers of the rules that the question concerns.
    pub rules: &'static str,
    pub question: &'static str,
    /// The default answer to the question.
    pub default: &'static str,
    /// The alternative answer to the question.
    pub alternative: &'static str,
    /// The profiles that start with the alternative value.
    pub profiles: &'static [Profile],
}

impl Interpretation {
    /// Returns the name of the switch: `i01`, or `i14=nearest` if its alternative has its own name.
    pub fn name(&self) -> String {
        let [_, value] = self.values;
        if value == "alternative" { self.id.to_string() } else { format!("{}={value}", self.id) }
    }
}

/// Declares the interpretations. An entry has the switch, the id, the rules, the names of the
/// values if not `default` and `alternative` (a former name in brackets), the profiles that start
/// with the alternative, the question, the default answer and the alternative answer.
macro_rules! interpretations {
    ($($switch:ident $id:literal, $rules:literal
        $([$value:literal, $other:literal $(($also:literal))?])? $(in $($profile:ident),+)?:
        $question:expr, $default:literal / $alternative:literal;)+) => {
        /// A point on which the rules leave room or editions differ, named after its alternative.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Switch { $($switch,)+ }

        /// Every interpretation, in the order of [`Switch`].
        pub const INTERPRETATIONS: [Interpretation; [$($id),+].len()] = [$(Interpretation {
            switch: Switch::$switch,
            id: $id,
            rules: $rules,
            question: $question,
            default: $default,
            alternative: $alternative,
            $(values: [$value, $other], $(also: Some($also),)?)?
            $(profiles: &[$(Profile::$profile),+],)?
            ..PLAIN
        }),+];
    };
}

const PLAIN: Interpretation = Interpretation {
    switch: Switch::OnlyFinalAtLevelPins,
    id: "",
    values: ["default", "alternative"],
    also: None,
    rules: "",
    question: "",
    default: "",
    alternative: "",
    profiles: &[],
};

const COMMISSAR_DRM: &str = "When does the DRM of a Commissar count whose rating is not 0 \
    (wounded, 8+1, of another nationality)?";

const INTERDICTED_WAY: &str = "When is a way Interdicted in a firefight?";

const TEM_TAKEN: &str = "Which TEM counts if neither side has Wall Advantage?";

interpretations! {
    // Morale: checks, leader loss, Heat of Battle, rally, Commissars.
    OnlyFinalAtLevelPins "i01", "7.8, 10.31":
        "Which Original DR pins when the pass number is 12 or more?",
        "11, the highest DR that can pass" / "none: only a Final DR equal to the Morale Level pins";
    LlmcPins "i02", "7.8, 10.2":
        "Does passing a LLMC with the highest DR pin?",
        "no" / "yes";
    TwelveFailsTc "i03", "10.1":
        "Does an Original 12 on a TC pass when the pass number is 12 or more?",
        "yes" / "no";
    HeatReplacesPin "i04", "7.8, 15.1":
        "Does an Original 2 with pass number 2 pin as well as bring Heat of Battle?",
        "pinned, then Heat of Battle" / "Heat of Battle replaces the pin";
    LostAtNewLevel "i05", "10.2":
        "Which ML of the lost leader decides who takes LLMC or LLTC?",
        "the ML before his loss" / "the ML after Replacement or wound in the same attack";
    WoundedHeroDies "i06", "17.11, 15.2":
        "What happens to a wounded hero who is Reduced other than by a failed MC?",
        "another severity dr, +1 for the earlier wound" / "he dies";
    NoLlmcForEscort "i07", "10.711, 10.2":
        "A Voluntary Rout leader lost with the failed check of his unit: does the unit take a \
            LLMC?",
        "yes, after the NMC" / "no";
    OnlyEscortHelps "i08", "10.21, 10.53, 10.711":
        "Does a leader who stays in the Interdicted hex help the routing unit?",
        "yes" / "no, only one who moves with it";
    RoutGoesOnAfterHeat "i09", "15.1, 10.53":
        "What happens to a unit that Heat of Battle restores or sends berserk in mid-rout?",
        "its rout ends in that hex" / "it goes on";
    WoundEndsRout "i10", "17.2":
        "May a leader wounded in mid-rout go on?",
        "yes, while fewer than 3 MF are spent" / "no, his rout ends at once";
    RubbleHelpsRally "i16-rubble", "10.61":
        "Does rubble give the -1 of rally terrain?",
        "no" / "yes";
    LightWoodsNoHelp "i16-light-woods", "10.61":
        "Do light woods give the -1 of rally terrain?",
        "yes" / "no";
    EncirclementInRally "i18", "7.7, 10.6":
        "Does Encirclement lower the ML of a Rally attempt?",
        "no" / "yes";
    NoCreationWithBox "i19", "18.11":
        "Does an Original 2 of the first MMC Self-Rally create a leader if the unit may Self-Rally \
            anyway?",
        "yes" / "no, only for an MMC that could not otherwise Self-Rally";
    SelfRallyFirstOfAll "i20", "18.11":
        "May leaders try to rally before the first MMC Self-Rally?",
        "yes, it must be the first MMC attempt" / "no, it must be the first attempt of all";
    CommissarTurnsFanatic "i21", "15.3, 25.22":
        "What does Battle Hardening do to a Commissar?",
        "no effect" / "he becomes Fanatic";
    BestLeaderAlways "i23", "10.72":
        "May a leader be passed over when another is there?",
        "any eligible leader may be chosen; the reference policy takes the best"
            / "the best leader is always used: the same under the reference policy";
    LowestSquadNotDisrupted "i24", "10.31, 19.12":
        "What does a Casualty MC with ELR failure leave of a squad that has no lower class?",
        "its half-squad, broken and Disrupted" / "its half-squad, broken";
    WoundForgotten "i25", "17.3, 19.1":
        "Does a wounded leader who is Replaced keep his wound?",
        "yes" / "no";
    HeatOnlyOnce "i27", "15.1":
        "What does a second Original 2 of a unit in the same attack bring?",
        "Heat of Battle again" / "no second time";
    DmOnlyByNewEnemy "i28", "10.62":
        "What happens to the DM of a unit ADJACENT to a Known armed enemy at the end of the RPh?",
        "removed and regained at once" / "removed until an enemy moves ADJACENT anew";
    LltcFirst "i32", "10.2":
        "Does a LLTC come before or after the MC still to be made in the attack?",
        "LLTC after all MC" / "LLTC first";
    CapOnSum "i33", "A.18, 17.3":
        "Where does the ML cap of 10 apply?",
        "to the bonuses, before losses" / "to the sum of bonuses and losses";
    CreationByPrintedMorale "i34", "18.2":
        "Which ML counts for Leader Creation?",
        "the broken ML, as changed" / "the printed good-order ML";
    NoLltcForVoluntaryBreak "i35", "10.41, 10.2":
        "Does a leader who breaks voluntarily bring a LLTC?",
        "yes" / "no";
    HeatBrokenBeforeOnly "i41", "15.1":
        "Does Heat of Battle add +1 for broken when the Original 2 itself broke the unit?",
        "yes" / "no, only when it was broken before";
    NoLltcForRestored "i42", "10.2, 15.1":
        "Does a leader who broke on an Original 2 and was restored by Heat of Battle bring a LLTC?",
        "yes" / "no";
    NewHeroExempt "i43", "15.21, 10.2":
        "Does a hero take the LLMC of the attack that created him?",
        "yes" / "no";
    HardeningFirst "i44", "15.1":
        "Heat of Battle 5 or 6: which comes first?",
        "the hero, Fanatic only if the MMC already was" / "Battle Hardening";
    BrokenSparedBerserkCheck "i45", "15.41":
        "Do broken units take the NTC of a berserk leader?",
        "yes" / "no";
    SweptLeaderSweeps "i46", "15.41":
        "Does a leader who goes berserk by the NTC of a berserk leader bring a NTC of his own?",
        "no" / "yes";
    BerserkForfeitsRating "i47", "15.41, 10.2":
        "Which DRM does the LLMC for a berserk leader have?",
        "his rating" / "0, his leadership is forfeited";
    NoLltcForSurrender "i48", "15.5, 10.2":
        "Does an unbroken leader who surrenders by Heat of Battle bring a LLTC?",
        "yes, he breaks" / "no";
    NoDrmToBetterLeader "i49", "10.22, 10.6":
        "Does a Good Order leader who rallies a broken leader of equal or higher ML lend his DRM?",
        "yes" / "no";
    LeadersSparedPrice "i50", "25.22":
        "What happens to a leader who fails to rally under a Commissar?",
        "Replaced by the next grade, a 6+1 eliminated" / "nothing happens";
    FateHasPriceToo "i51", "25.22, 10.64":
        "What does Fate cause in a Rally under a Commissar?",
        "Casualty Reduction only" / "Casualty Reduction, then Replacement";
    LedGreenInexperienced "i52", "15.1, 19.3":
        "Are Green troops with an unbroken leader Inexperienced in Heat of Battle?",
        "no" / "yes";
    UnderlinedNotDisrupted "i53", "10.31, 19.12":
        "What does a Casualty MC with ELR failure leave of an underlined squad that has no lesser \
            half-squad?",
        "its own half-squad, broken and Disrupted" / "its own half-squad, broken";
    HeroicExemptFromHeat "heroic-heat", "15.1, 15.21":
        "Does a heroic leader roll for Heat of Battle?",
        "yes, to Battle Harden; he neither goes berserk nor surrenders"
            / "no, he is exempt like a hero";
    CommissarDrmNever "commissar-drm", "25.22, 10.21, 10.72, 17.3" ["default", "never"]:
        COMMISSAR_DRM,
        "in MC and TC, not in a Rally that he leads" / "nowhere: his aid is the Morale Level";
    CommissarDrmAlways "commissar-drm", "25.22, 10.21, 10.72, 17.3"
        ["default", "always" ("alternative")]:
        COMMISSAR_DRM,
        "in MC and TC, not in a Rally that he leads" / "in a Rally too, as that of any leader";
    AllFinnsSelfRally "v2-10.6", "10.6" in AslV2:
        "Which Finns Self-Rally?",
        "all but Conscripts" / "all";
    NoHeatOfBattle "sk-15.1", "15.1" in AslSk:
        "Is there Heat of Battle?",
        "yes" / "no";
    PlainUnitsOnly "sk-15.2", "15.2, 10.8, 15.4, 25.22" in AslSk:
        "Are there heroes, Fanatics, berserk units, Commissars and Encirclement?",
        "yes" / "no, such units are not accepted";
    NoVoluntaryBreak "sk-10.41", "10.41" in AslSk:
        "Is there Voluntary Break?",
        "yes" / "no";
    // Fire: firers, FP, DRM, Cowering, ROF, Residual FP.
    TableEndsAtFifteen "i70", "7.3":
        "What does a Final DR above 15 show on the IFT?",
        "the row of 15 or more" / "nothing";
    LooseWeaponsRefused "i71", "4.43":
        "Who mans a SW that is given to nobody?",
        "the first squad without one, then crews, HS, heroes, a squad with one, leaders"
            / "nobody: it is refused";
    PartisanWeaponsCaptured "i72", "25.24":
        "Are the Russian SW of Partisans captured?",
        "no" / "yes";
    FarMemberRefused "i73", "7.22":
        "What happens to a member of a Fire Group out of its range?",
        "it stays out" / "the attack is refused";
    EveryLeaderDirects "i74", "10.72" ["zero", "every"]:
        "Which leaders direct fire unless told otherwise?",
        "those of a rating of 0 or better" / "every leader";
    OnlyNegativeLeadersDirect "i74", "10.72" ["zero", "negative"]:
        "Which leaders direct fire unless told otherwise?",
        "those of a rating of 0 or better" / "those with a negative DRM";
    WreckIsCumulative "i75", "D9.3":
        "Is the TEM of a wreck or AFV added to other TEM?",
        "no, the best counts" / "yes";
    InHexTemTaken "i76", "B9.31" ["higher", "in-hex"]:
        TEM_TAKEN,
        "the higher" / "that of the hex";
    HexsideTemTaken "i76", "B9.31" ["higher", "hexside"]:
        TEM_TAKEN,
        "the higher" / "that of the hexside";
    NightHindersAlways "i77", "E1.7":
        "When does night give no DRM beside the same hex and Height Advantage?",
        "when the target's terrain rises a level above the firer" / "never";
    ExemptUnitsSpareAll "i78", "7.9":
        "Does a Fire Group Cower in which some units never do?",
        "yes" / "no";
    ImmuneInexperienced "i79", "19.33":
        "Is an attack with an Inexperienced unit that never Cowers read two columns lower?",
        "yes" / "no, one";
    AnyFirerIsMarked "i80", "7.9":
        "Among whom is the unit selected that Cowering marks?",
        "units that can Cower" / "all firing units";
    MarkedKeepsRof "i81", "7.9, 9.2":
        "Does a MG keep its ROF when Cowering marks its unit?",
        "no" / "yes";
    OneManHasNoRof "i82", "9.12":
        "Does a MG manned by one SMC keep ROF?",
        "yes" / "no";
    InexperiencedSpareX "i83", "19.32":
        "Do Inexperienced users lower the X# of a FT or DC?",
        "yes, by one" / "no";
    FlamethrowerIgnoresMovement "i84", "22.2":
        "Do FFMO and FFNAM count against a FT?",
        "yes" / "no";
    HeightAgainstCharges "i85", "23.1":
        "Does Height Advantage count against a placed DC?",
        "no" / "yes";
    FinalProtectiveFireSparesElr "i86", "8.31, 19.1":
        "Does the ELR count in the NMC of Final Protective Fire?",
        "yes" / "no";
    HalfColumnsKept "i87", "8.2":
        "What Residual FP do the 6 and 20 columns leave?",
        "2 and 8, for which there are counters" / "3 and 10, read on the 2 and 8 columns";
    NoneLeftByGroup "i88", "8.221, 8.23" ["others", "none"]:
        "What Residual FP does a Fire Group leave if a SW malfunctions or keeps its ROF?",
        "that of the others" / "none";
    AllLeftByGroup "i88", "8.221, 8.23" ["others", "all"]:
        "What Residual FP does a Fire Group leave if a SW malfunctions or keeps its ROF?",
        "that of the others" / "that of all";
    EntryLosesConcealmentLater "i89", "12.14":
        "When does Assault Movement into Open Ground cost concealment?",
        "on entry, before the fire that it draws" / "after the first attack there, which is halved";
    CommonSelection "i91", "A.5, 7.301, 7.302":
        "Among whom is Random Selection made if several classes of targets suffer a KIA, or a K?",
        "in each class apart" / "among all units of those classes";
    ExemptInKit "i92", "7.9":
        "Do British and Finns Cower by the Starter Kit?",
        "yes" / "no, as in the full rules";
    ShotsByWholePath "i93", "9.2":
        "How are half MF counted for the shots of a unit or SW at a moving target?",
        "rounded down in each Location" / "by the sum of the path so far";
    CoweredHasNoFpf "i94", "7.9, 8.31":
        "Does a unit use FPF that only Cowering has marked Final Fire?",
        "yes" / "no";
    HeroicDrmIfBetter "i96", "15.21, 15.24":
        "What does a heroic leader give who directs and fires?",
        "his leadership" / "the better of leadership and heroic DRM";
    ForeignersAloneWeaken "i97", "10.7":
        "When is the rating of a leader one worse who directs units of two nations?",
        "if any unit is of another nation" / "if all are";
    OnlyNamedDrmReduce "i98", "8.26":
        "Do Encirclement and overstacking of the firers reduce Residual FP?",
        "yes" / "no";
    TripleWithinHex "i99", "7.21":
        "By how much is FP multiplied at another level of the same hex?",
        "2" / "3";
    AdjacentForPointBlank "i100", "7.21":
        "Which targets in the next hex are in PBF?",
        "those at most one level higher" / "ADJACENT ones, at most one level higher or lower";
    HeavyFinnishLmg "i101", "9":
        "Which LMG have Finns?",
        "2-8, B11" / "3-8, B12";
    ShotsBeyondMfRefused "i103", "9.2":
        "What happens to planned shots beyond the MF spent in a Location?",
        "they are skipped" / "the plan is refused";
    PlainFireOnly "sk-7", "4.62, 4.63, 7.25, 7.34, 8.15, 22.6, 23.6, B9.32, E1.7" in AslSk:
        "Are there Spraying Fire, Opportunity Fire, Snap Shots, Dash, Hazardous Movement, MOL, \
            thrown DC, Wall Advantage and night?",
        "yes" / "no";
    PointBlankAtAnyLevel "sk-7.21", "7.21" in AslSk:
        "Does a level keep a target in the next hex out of PBF?",
        "yes, if it is two or more higher" / "no";
    RiflesLeaveNone "sk-8.2", "8.2" in AslSk:
        "Does an ATR leave Residual FP?",
        "yes" / "no";

    // Close Combat.
    WholeOddsBeyondTen "i110", "11.11" ["literal", "whole"]:
        "In which column are odds above 10-1 but below 11-1?",
        "more than 10-1" / "10-1";
    ConcealedColumnApart "i111", "11.19, 12.13":
        "How is an attack on concealed and Known units halved?",
        "the whole attack" / "against the concealed ones alone, with one DR";
    CreatedLeadershipIfBetter "i112", "18.12, 10.7" ["created", "better"]:
        "Whose leadership counts when a CC attack creates a leader that another directs?",
        "that of the created leader, also when worse" / "the better one";
    CreatedLeadershipAdds "i112", "18.12, 10.7" ["created", "sum"]:
        "Whose leadership counts when a CC attack creates a leader that another directs?",
        "that of the created leader, also when worse" / "the sum of both";
    GroupSharesExhaustion "i113", "4.51, 4.8":
        "Which targets of a CC attack have the DRM of a CX or TI unit among them?",
        "each for itself" / "all of the group";
    WoundedSmcWithdraws "i114", "11.2":
        "Does an SMC withdraw from Melee who is wounded in that CCPh?",
        "no, he counts as Reduced" / "yes";
    ReducedStayInMelee "i115", "11.16":
        "What happens to the half-squad of a broken squad Reduced as it tries to leave a Melee?",
        "it is eliminated at the end of the CCPh" / "it stays in the Melee";
    AppliedWorkedOutAgain "i116", "18.12, 11.32":
        "Is an attack of the ambushers worked out again if its target then creates a leader?",
        "no, its results stand" / "yes, as if he had always been there";
    BerserkNotLax "i117", "11.4, 15.432":
        "What does a berserk unit add to the Ambush dr?",
        "+1 as berserk and +1 as Lax" / "+1 in all";
    AmbushLeadershipOptional "i118", "10.72, 11.4":
        "Does a positive leadership count in the Ambush dr?",
        "yes, if no other leader is eligible" / "no, it may be left out";
    BrokenSmcApart "i119", "11.14":
        "How does a broken SMC defend in Close Combat?",
        "with the MMC on which it is stacked" / "as a target of its own";
    DrawKeptBeforeLeader "i120", "18.12":
        "Among whom is a Partial Kill drawn if a leader appears after the DR?",
        "among all, with him" / "among those of before";
    FewestPointsGivenUp "i121", "20.22":
        "Whom does the owner give up when a capture attempt equals the Kill Number?",
        "a HS or crew, then a HS of a squad, then an SMC" / "the unit of the fewest CVP";
    ExcessPrisonersFreed "i122", "20.5":
        "What becomes of captured units beyond five times the US# of their captors?",
        "they are captured" / "they are freed, unarmed";
    DisruptedStayFirstRound "i123", "19.12":
        "When is a Disrupted unit eliminated that is left beside enemies by No Quarter?",
        "at the end of that CCPh" / "from the next CCPh on";
    PartisanLeadersDirect "i129", "25.24":
        "Do Partisan leaders direct other units in Close Combat, and others Partisans?",
        "no" / "yes, one worse as for Allied units";
    HeroesWoundedBySniper "i130", "14.3":
        "What does a Sniper dr of 1 do to a hero, a heroic or a berserk leader?",
        "eliminates it" / "wounds it";
    NoLlmcBySniper "i131", "10.2, 14.3":
        "Does a leader killed by a Sniper cause LLMC?",
        "yes" / "no";
    ConcealmentLostBySniper "i132", "12.14, 14.3":
        "Does a concealed unit keep its ? that a Sniper dr of 2 pins?",
        "yes" / "no";
    TiedAtRandom "i133", "14.2" ["best", "random"]:
        "Which of several tied units takes the dr that called a Sniper?",
        "the best leader, else that of most FP" / "one at random";
    SniperCheckMade "i134", "14.4" ["none", "always"]:
        "Does a stack make a Sniper Check after an effective attack?",
        "no" / "yes, all together who may";

    // Platoons and firefights over Player Turns.
    DmOnlyByResult "i150", "10.62" ["possible", "result"]:
        "Which fire gives broken targets DM?",
        "any attack that could be a NMC or worse by its DR" / "only a result of NMC or worse";
    FirstMmcInEachLocation "i151", "18.11" ["side", "location"]:
        "How many MMC of a side may Self-Rally as the first MMC in one RPh of several Locations?",
        "one of the whole side" / "one in each Location";
    PinnedOnWayGoesBack "i153", "10.53":
        "Where is a unit that is pinned on an Interdicted way between two Locations?",
        "in that hex, and it goes on in the next RtPh" / "where it began";
    BrokenMoverLiesOut "i154", "8.1, 10.21":
        "Where is a unit that breaks or is pinned on its way back to a front?",
        "where it began" / "on the way";
    SeparateFireAllowed "i155", "7.55":
        "May units of one Location attack one target apart from each other?",
        "no" / "yes, as a what-if";
    MoverDirectsPrepFire "i156", "3.2, 7.53":
        "May a leader who moves in this Player Turn direct Prep Fire?",
        "no" / "yes";
    AnyUnitHoldsPosition "i157", "26.1" ["mmc", "any"]:
        "Which Good Order unit in a front holds the position?",
        "an MMC" / "any unit";
    BerserkStays "i158", "15.43" ["leaves", "stays"]:
        "What happens to a berserk unit of a platoon when its event is over?",
        "it leaves to charge" / "it stays until its next MPh";
    InterdictedInNormalRange "i159", "10.532" ["any-range", "normal-range"]:
        INTERDICTED_WAY,
        "while an able enemy is in a front" / "within his Normal Range of where it begins";
    AlwaysInterdicted "i159", "10.532" ["any-range", "always"]:
        INTERDICTED_WAY, "while an able enemy is in a front" / "always";
    LongRangeForcesRout "i160", "10.5" ["normal-range", "long-range"]:
        "Does an enemy at Long Range force a rout from Open Ground?",
        "no" / "yes";
    BrokenNotFiredAt "i161", "7.1":
        "Do units fire at a Location in which all are broken?",
        "yes, if there is no other target" / "no";
    MovesAndAdvances "i162", "4.7":
        "Does the same unit go by two ways, in the MPh and in the APh of one Player Turn?",
        "no" / "yes";
    MoversFire "i163", "7.24":
        "Do units that have moved to a front fire in the AFPh?",
        "no" / "yes, with halved FP";
    WoundedOnWayLies "i164", "17.2":
        "What does a leader do who is lightly wounded on an Interdicted way?",
        "he goes on" / "he lies in that hex";
    WeaponsRecovered "i165", "4.44" ["next-mmc", "recovered"]:
        "Who fires a MG of a platoon whose crew breaks?",
        "the next able MMC at once" / "who recovers it in the next RPh on a dr of 5 or less";
    FullLocationClosed "i166", "5.1":
        "Can a unit rout into a Location of a platoon that is full?",
        "yes" / "no";
    // The rout.
    OnlyInterdictorBarsOpenGround "i11", "10.5" in AslSk:
        "Where an enemy who cannot Interdict has the unit in LOS and Normal Range, may a rout end \
            in Open Ground?",
        "only after Low Crawl there, or Interdiction survived there"
            / "yes: only a valid Interdictor bars it";
    CrawlByHexes "i12", "10.52":
        "What is \"toward\" the destination in Low Crawl?",
        "fewer MF away from it" / "fewer hexes away from it";
    CoverByAnyRoute "i13", "10.51":
        "Over which routes is the nearest cover measured?",
        "those legal with what is Known" / "all, legality is tested later";
    NoFartherFromNearest "i14", "10.51" ["any", "nearest"]:
        "Cover no farther from a Known enemy than the start may be ignored: from which enemy?",
        "any one" / "the nearest";
    NoFartherFromAll "i14", "10.51" ["any", "all"]:
        "Cover no farther from a Known enemy than the start may be ignored: from which enemy?",
        "any one" / "all of them";
    FirstHexFree "i15", "20.21" ["whole", "first-hex"]:
        "How much of a rout must be free of Interdiction for a unit not to surrender?",
        "all of it" / "its first hex";
    AdjacentHexesFree "i15", "20.21" ["whole", "ending-adjacent"]:
        "How much of a rout must be free of Interdiction for a unit not to surrender?",
        "all of it" / "hexes ADJACENT to an enemy";
    RemovedAtPhaseEnd "i17", "10.5, 5.1":
        "When is a unit that fails to rout taken off the map?",
        "at once" / "at the end of the RtPh: till then it takes up room";
    TiCannotInterdict "i22", "10.532":
        "Can a TI unit Interdict?",
        "yes" / "no";
    NoOverstackCost "i30", "5.11":
        "Does overstacking cost a routing unit MF?",
        "1 MF per squad-equivalent" / "no";
    MalfunctionDisarms "i31", "10.5":
        "Is a unit with a malfunctioned weapon armed?",
        "if it has a Firepower of its own" / "no";
    DisruptedIgnoresEnemy "i36", "19.12, 20.3":
        "What does a Disrupted unit ADJACENT to an enemy do under No Quarter?",
        "must rout like any other" / "ignores the enemy";
    NoFartherThanRefigured "i38", "10.51":
        "From which hex is \"no farther\" measured after re-figuring?",
        "where the rout began" / "where it re-figured";
    FullHexTestedOnArrival "i39", "5.1, 10.51":
        "Starter Kit: can a hex that is full be declared the destination?",
        "no" / "yes, if there is room on arrival";
    PlainViewBars "i54", "10.51":
        "May a hex be entered that holds an enemy in plain view who is not Known?",
        "yes, until he is Known" / "no";
    HalfSquadMayStop "i55", "10.53" in AslV2, AslSk:
        "May the half-squad of a failed Interdiction NMC stop there?",
        "no, it goes on" / "yes";
    NoWayBack "i56", "10.51":
        "May a rout lead back into the hex where it began?",
        "yes" / "no";
    SurrenderByKnown "i57", "20.21":
        "How is it judged whether a unit can rout free of Interdiction?",
        "by what would really happen" / "by what is Known";
    RefiguresAtNewEnemy "i58", "10.51":
        "When does a unit re-figure its destination?",
        "when it is out of reach, or deadly" / "at every new Known enemy";
    VertexUnprotected "i59", "10.531, B9.3":
        "Does a wall or hedge protect where the LOS enters through a vertex?",
        "yes, if it runs along a side at the vertex" / "no";
    CrawlTowardNearest "i60", "10.52":
        "Where may a Low Crawl go when all cover in reach is ignored?",
        "anywhere" / "toward the nearest";
    BrokenEnemyForces "i61", "10.5":
        "Does a broken Known enemy force a rout from Open Ground?",
        "no" / "yes";
    RoadNeverInterdicted "i62", "10.531":
        "Is a woods-road hex entered along the road Interdicted?",
        "by an enemy whose LOS comes through the road hexside crossed" / "never";
    OnlyEnemiesInLos "i63-keu", "10.51":
        "For ignoring cover, which enemies count?",
        "all Known in this phase" / "those in LOS now";
    MustLeaveCover "i63-cover", "10.51":
        "May a unit that re-figures in a cover hex choose that hex?",
        "yes, unless trapped there" / "no, it must move on";
    MeleeForces "v2-10.5", "10.5" in AslV2:
        "Do enemies in Melee force a rout?",
        "no" / "yes";
    UnarmedNotApproached "v2-10.51", "10.51" in AslV2, AslSk:
        "Which Known enemies may a rout not approach?",
        "armed ones" / "all, even broken or unarmed";
    CrawlOneHex "v2-10.52", "10.52" in AslV2:
        "How far does a Low Crawl go?",
        "one Location" / "one hex";
    HamperedInterdict "v2-10.532", "10.532" in AslV2:
        "Can units Interdict that are Encircled, or marked by Spotted Fire, or whose FP is halved?",
        "no" / "yes";
    SurrenderOnlyWithoutRout "v2-20.21", "20.21, 10.531" in AslV2:
        "Does a unit surrender that could rout only through Interdiction or by Low Crawl?",
        "yes" / "no, only one without any legal rout";
    UnarmedCaptor "v2-19.12", "19.12" in AslV2:
        "Does a Disrupted unit surrender to an unarmed enemy?",
        "no" / "yes";
    UnbrokenEnemiesForce "sk-10.5", "10.5" in AslSk:
        "Which enemies force a rout, or capture a unit whose rout ends beside them?",
        "armed ones; in the open all in range"
            / "unbroken ones beside it; in the open Good Order ones who can Interdict";
    NeighboursAreAdjacent "sk-8", ".8" in AslSk:
        "What is beside a unit?",
        "an ADJACENT Location" / "a neighbouring hex";
    FullHexBars "sk-5.1", "5.1, 10.51" in AslSk:
        "Can a rout enter a hex that is full?",
        "yes, overstacking it" / "no";
    NoSurrender "sk-20.21", "20.21" in AslSk:
        "Do units surrender?",
        "yes" / "no";
}
