// A field of units: counters in a row, their conditions, a tray to take more from, and their
// notation, in step.
import { signal } from "@preact/signals";
import { render } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { called, drawn } from "./counters";
import { Dom, useFocus } from "./dom-part";
import * as kept from "./kept";
import { read, written, type Counter } from "./notation";
import type { System } from "./types";

const mine = signal(kept.units());
/** The units that were taken before this visit; the order of a tray stays during a visit. */
const before = mine.value.recent;

function keep(change: Partial<kept.KeptUnits>): void {
  mine.value = { ...mine.value, ...change };
  kept.keepUnits(mine.value);
}

/** The letters and digits of a name, so that `467` finds `4-6-7`. */
const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The units that a tray shows: stars and recent ones first, then the common ones of the side. */
function shown(system: System, side: string, search: string): System["units"] {
  const wanted = letters(search);
  if (wanted)
    return system.units.filter(({ side, name }) => letters(side + name).includes(wanted)).slice(0, 60);
  const place = ({ written, name }: System["units"][number]): number => {
    if (mine.value.starred.includes(written)) return 0;
    if (before.includes(written)) return 1;
    const common = system.first_units.indexOf(name);
    return common < 0 ? 1000 : 2 + common;
  };
  const units = system.units.filter((unit) => unit.side === side || place(unit) < 2);
  return units
    .map((unit) => ({ unit, at: place(unit) }))
    .sort((a, b) => a.at - b.at)
    .map(({ unit }) => unit);
}

interface TrayProps {
  system: System;
  take: (unit: string) => void;
}

function Tray({ system, take }: TrayProps) {
  const [search, setSearch] = useState("");
  const [isWhole, setWhole] = useState(false);
  const sides = [...new Set(system.units.map(({ side }) => side))];
  const side = sides.includes(mine.value.side) ? mine.value.side : sides[0]!;
  return (
    <div class="tray">
      <div class="row">
        {system.units.length > 12 ? (
          <input
            type="search"
            class="search"
            aria-label="search a unit"
            placeholder="467"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        ) : null}
        {sides.length > 1 ? (
          <div class="chips" role="group" aria-label="sides">
            {sides.map((one) => (
              <button
                type="button"
                class="chip"
                key={one}
                aria-pressed={one === side && !search}
                onClick={() => {
                  keep({ side: one });
                  setSearch("");
                }}
              >
                {one}
              </button>
            ))}
            <button
              type="button"
              class="quiet all"
              aria-expanded={isWhole}
              onClick={() => setWhole(!isWhole)}
            >
              {isWhole ? "fewer" : "all"}
            </button>
          </div>
        ) : (
          <button type="button" class="quiet all" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? "fewer" : "all"}
          </button>
        )}
      </div>
      <div class={isWhole ? "grid whole" : "grid"}>
        {shown(system, side, search).map((unit) => (
          <button
            type="button"
            class="slot"
            key={unit.unit}
            aria-label={`add ${unit.side} ${unit.name}`.replace("  ", " ")}
            title={unit.about}
            onClick={() => {
              const recent = [unit.written, ...mine.value.recent.filter((one) => one !== unit.written)];
              keep({ recent: recent.slice(0, 6) });
              take(unit.written);
            }}
          >
            <Dom
              of={() => drawn({ number: 1, side: unit.side, name: unit.name, conditions: [] })}
              key={unit.unit}
            />
          </button>
        ))}
      </div>
    </div>
  );
}

interface PanelProps {
  system: System;
  counter: Counter;
  isOne: boolean;
  hasWeapons: boolean;
  change: (how: Partial<Counter>) => void;
  remove: () => void;
  done: () => void;
}

function Panel({ system, counter, isOne, hasWeapons, change, remove, done }: PanelProps) {
  const [isOpen, setOpen] = useState(counter.conditions.some((one) => one.includes("=")));
  const flags = system.conditions.filter((condition) => !condition.includes("="));
  const numbers = system.conditions.filter((condition) => condition.includes("="));
  const arms = hasWeapons
    ? [...new Set(system.weapons.filter(({ side }) => side === counter.side).map(({ name }) => name))]
    : [];
  const name = (counter.side ? `${counter.side}:` : "") + counter.name;
  const isStarred = mine.value.starred.includes(name);
  const toggle = (word: string) =>
    change({
      conditions: counter.conditions.includes(word)
        ? counter.conditions.filter((other) => other !== word)
        : [...counter.conditions, word],
    });
  return (
    <div class="panel">
      <div class="chips" role="group" aria-label="conditions">
        {isOne ? null : (
          <>
            <button
              type="button"
              class="chip"
              aria-label="one less"
              onClick={() => change({ number: counter.number - 1 })}
            >
              −1
            </button>
            <button
              type="button"
              class="chip"
              aria-label="one more"
              onClick={() => change({ number: counter.number + 1 })}
            >
              +1
            </button>
          </>
        )}
        {[...arms, ...flags].map((word) => (
          <button
            type="button"
            class="chip"
            key={word}
            aria-pressed={counter.conditions.includes(word)}
            onClick={() => toggle(word)}
          >
            {word}
          </button>
        ))}
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          values
        </button>
        <button
          type="button"
          class="quiet"
          aria-label="keep among the first units"
          aria-pressed={isStarred}
          onClick={() =>
            keep({
              starred: isStarred
                ? mine.value.starred.filter((one) => one !== name)
                : [...mine.value.starred, name],
            })
          }
        >
          {isStarred ? "★" : "☆"}
        </button>
        <button type="button" class="quiet" onClick={remove}>
          remove
        </button>
        <button type="button" class="quiet" onClick={done}>
          done
        </button>
      </div>
      {isOpen ? (
        <div class="pairs">
          {numbers.map((condition) => {
            const word = condition.split("=")[0]!;
            const known = counter.conditions.find((one) => one.startsWith(`${word}=`));
            return (
              <label key={word}>
                <span>{word}</span>
                <input
                  type="text"
                  inputmode="numeric"
                  size={3}
                  value={known?.slice(word.length + 1) ?? ""}
                  onChange={(event) => {
                    const value = event.currentTarget.value.trim();
                    const rest = counter.conditions.filter((one) => one !== known);
                    change({ conditions: value === "" ? rest : [...rest, `${word}=${value}`] });
                  }}
                />
              </label>
            );
          })}
        </div>
      ) : null}
    </div>
  );
}

interface UnitsProps {
  system: System;
  id: string;
  label: string;
  text: string;
  isOne?: boolean;
  hasWeapons?: boolean;
  /** Units that are offered as buttons while there are none. */
  common?: string[];
  /** Whether the tray is open at first. */
  isOpen?: boolean;
  invalid?: boolean;
  changed: (text: string) => void;
}

/** A field for one or several units of a system; `changed` is called with their notation. */
export function Units(props: UnitsProps) {
  const { system, id, text, isOne = false, hasWeapons = false, common = [], changed } = props;
  const [chosen, setChosen] = useState(-1);
  const [isOpen, setOpen] = useState(props.isOpen ?? false);
  const input = useRef<HTMLInputElement>(null);
  const all = read(text);
  const counter = all[chosen];
  // What is typed stays as it is while it means the same.
  useLayoutEffect(() => {
    if (input.current && input.current.value.trim() !== text.trim()) input.current.value = text;
  }, [text]);
  const put = (counters: Counter[]) => changed(written(counters.filter(({ number }) => number > 0)));
  const take = (unit: string) => {
    const [taken] = read(unit);
    if (!taken) return;
    if (isOne) {
      setOpen(false);
      put([taken]);
      return;
    }
    const end = all.at(-1);
    if (end && written([{ ...end, number: 1 }]) === unit) {
      put([...all.slice(0, -1), { ...end, number: end.number + 1 }]);
      setChosen(all.length - 1);
    } else {
      put([...all, taken]);
      setChosen(all.length);
    }
  };
  const place = useFocus<HTMLDivElement>();
  const typedIn = (
    <div class="cell">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        ref={input}
        type="text"
        class="notation"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder={isOne ? "nobody" : "or type"}
        aria-describedby={`${id}-hint ${id}-fault`}
        aria-invalid={props.invalid ?? false}
        onInput={(event) => changed(event.currentTarget.value)}
      />
    </div>
  );
  return (
    <div class="units" ref={place}>
      <div class="stack">
        {isOne ? typedIn : null}
        {all.map((one, place) => (
          <button
            type="button"
            class="slot"
            key={place}
            aria-pressed={place === chosen}
            aria-label={`${called(one)}: change`}
            onClick={() => setChosen(place === chosen ? -1 : place)}
          >
            <Dom of={() => drawn(one)} key={JSON.stringify(one)} />
            {one.number > 1 ? <span class="times">×{one.number}</span> : null}
          </button>
        ))}
        {isOne && all.length ? null : (
          <button
            type="button"
            class="slot add"
            aria-label={isOne ? "choose a unit" : "add a unit"}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            +
          </button>
        )}
        {(all.length ? [] : common).map((unit) => (
          <button type="button" class="chip" key={unit} onClick={() => take(unit)}>
            {unit}
          </button>
        ))}
        {isOne ? null : typedIn}
      </div>
      {counter ? (
        <Panel
          key={chosen}
          system={system}
          counter={counter}
          isOne={isOne}
          hasWeapons={hasWeapons}
          change={(how) => {
            if (how.number === 0) setChosen(-1);
            // Who says more of a unit has taken it.
            if (how.conditions && !hasWeapons) setOpen(false);
            put(all.map((other) => (other === counter ? { ...other, ...how } : other)));
          }}
          remove={() => {
            setChosen(-1);
            put(all.filter((other) => other !== counter));
          }}
          done={() => setChosen(-1)}
        />
      ) : null}
      {isOpen ? <Tray system={system} take={take} /> : null}
    </div>
  );
}

/** A field for one unit as an element; `show` sets its text. */
export function units(system: System, id: string, changed: (text: string) => void) {
  const text = signal("");
  const element = document.createElement("div");
  const Part = () => (
    <Units
      system={system}
      id={id}
      isOne
      label="unit"
      text={text.value}
      changed={(wanted) => {
        text.value = wanted;
        changed(wanted);
      }}
    />
  );
  render(<Part />, element);
  return { element, show: (wanted: string) => void (text.value = wanted) };
}
