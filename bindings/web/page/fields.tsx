// Controls for fields, built from the declarations of the fields alone, for any system.
import { useLayoutEffect, useRef } from "preact/hooks";
import { curveOf } from "./card";
import { typed } from "./format";
import { isReplaced, valueAt } from "./question";
import * as store from "./store";
import { Percent } from "./dom-part";
import type { Field, Value } from "./types";
import { Units } from "./units";
import { mine } from "./figures";

export const isOfUnits = ({ role }: Field): boolean =>
  role === "stack" || role === "leader" || role === "firers";
/** The types of fields on maps that are units, which have no role. */
const UNITS = ["STACK", "LEADER", "UNITS", "UNIT"];
export const words = (name: string): string => name.replaceAll("-", " ");
export const labelOf = ({ label, negation, name, takes }: Field): string =>
  label ?? words(takes.type === "flag" ? (negation ?? name) : name);

/** Numbers separated by commas or spaces; other text is returned unchanged. */
function numbers(text: string): Value {
  const all = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return all.every(Number.isFinite) ? all : text;
}

/** Words separated by commas; a single word is returned as text. */
function list(text: string): Value {
  const all = text.split(",").map((word) => word.trim());
  return all.length > 1 ? all.filter((word) => word !== "") : text;
}

interface Props {
  field: Field;
  path: string;
  /** Whether the description is for screen readers alone, because the label says enough. */
  isBrief?: boolean;
}

interface ControlProps {
  id: string;
  path: string;
  field: Field;
  value: Value | undefined;
  set: (value: Value | null) => void;
  isBad: boolean;
}

/** What every control says of itself. */
const described = ({ id, isBad }: ControlProps) => ({
  id,
  "aria-describedby": `${id}-hint ${id}-fault`,
  "aria-invalid": isBad,
});

/** A text that stays as it is typed while it means the value. */
function useTyped(shown: string, means: (text: string) => string) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current && means(input.current.value) !== shown) input.current.value = shown;
  }, [shown]);
  return input;
}

function Switch(props: ControlProps) {
  const standard = props.field.default === "true";
  return (
    <input
      {...described(props)}
      type="checkbox"
      role="switch"
      checked={props.value !== undefined && props.value !== standard}
      onChange={(event) => props.set(event.currentTarget.checked ? !standard : null)}
    />
  );
}

function Choice(props: ControlProps) {
  const { field, value, set } = props;
  const all = optionsOf(field);
  const now = value === undefined || value === field.default ? "" : String(value);
  const others = all.filter((word) => word !== field.default);
  return (
    <select {...described(props)} value={now} onChange={(event) => set(event.currentTarget.value || null)}>
      <option value="">{field.default ? words(field.default) : "–"}</option>
      {/* A value from a link is kept, even if it is not in the list of words. */}
      {[...others, ...(now && !others.includes(now) ? [now] : [])].map((word) => (
        <option value={word} key={word}>
          {words(word)}
        </option>
      ))}
    </select>
  );
}

/** The words to choose from, if the field takes one of some words. */
function optionsOf(field: Field): string[] {
  const { takes, name } = field;
  if (takes.type === "word") return takes.words ?? [];
  return name === "policy" ? (store.kind.value.policies ?? []).map(({ name }) => name) : [];
}

const numberOf = (text: string): Value | null => {
  const plain = typed(text);
  return plain === "" ? null : Number.isFinite(Number(plain)) ? Number(plain) : text;
};

/** The text of a number. */
function Digits(props: ControlProps) {
  const { field, value, set } = props;
  const shown = value === undefined ? "" : String(value);
  const input = useTyped(shown, typed);
  return (
    <input
      {...described(props)}
      ref={input}
      type="text"
      inputmode="numeric"
      size={4}
      placeholder={field.default ?? ""}
      autocomplete="off"
      onInput={(event) => set(numberOf(event.currentTarget.value))}
    />
  );
}

function Stepper(props: ControlProps) {
  const { field, value, set } = props;
  const { takes } = field;
  const step = (by: number) => {
    const first = by > 0 ? (takes.from ?? 0) - 1 : (takes.to ?? 0) + 1;
    const now = value ?? Number(field.default ?? first);
    if (typeof now !== "number") return;
    set(Math.min(Math.max(now + by, takes.from ?? -Infinity), takes.to ?? Infinity));
  };
  const label = words(field.name);
  return (
    <span class="stepper">
      <button type="button" aria-label={`${label} less`} onClick={() => step(-1)}>
        −
      </button>
      <Digits {...props} />
      <button type="button" aria-label={`${label} more`} onClick={() => step(1)}>
        +
      </button>
    </span>
  );
}

function Text(props: ControlProps) {
  const { field, value, set } = props;
  const { type } = field.takes;
  const shown = Array.isArray(value) ? value.join(type === "list" ? ", " : " ") : String(value ?? "");
  const input = useTyped(shown, (text) => text.trim());
  const read = (text: string) =>
    text === "" ? null : type === "numbers" ? numbers(text) : type === "list" ? list(text) : text;
  return (
    <input
      {...described(props)}
      ref={input}
      type="text"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      placeholder={field.default ?? ""}
      onInput={(event) => set(read(event.currentTarget.value))}
    />
  );
}

/** The common values of a field as buttons, after a cell for any other value. */
function Pad(props: ControlProps) {
  const { id, path, field, value, set } = props;
  const isNumber = field.takes.type === "number";
  const isIdle = isReplaced(store.kind.value, store.question.value, field, path);
  const now = value === undefined ? (isIdle ? null : field.default) : String(value);
  const cells = field.common!.length + 1;
  const columns = isNumber ? (cells > 9 ? Math.ceil(cells / 2) : cells) : 5;
  return (
    <div class={isNumber ? "pad" : "pad of-words"} style={{ "--columns": columns }}>
      <div class="cell">
        <label for={id} title={field.about}>
          {labelOf(field)}
        </label>
        {isNumber ? <Digits {...props} /> : <Choice {...props} />}
      </div>
      {field.common!.map((one) => (
        <button
          type="button"
          class="chip"
          key={one}
          aria-pressed={one === now}
          onClick={() => set(one === field.default ? null : isNumber ? Number(one) : one)}
        >
          {isNumber ? signed(field, one) : words(one)}
        </button>
      ))}
    </div>
  );
}

/** A number with its sign if the field also takes negative ones. */
const signed = ({ takes }: Field, number: string): string =>
  (takes.from ?? 0) >= 0 ? number : number.replace(/^-/, "−").replace(/^(?=[1-9])/, "+");

/** A box for each report point, with the chance by then; a tap asks for dice. */
function Periods({ field, value }: ControlProps) {
  const number = Math.min(Number(value ?? field.default ?? 0) || 0, 12);
  const curve = store.answer.value ? curveOf(store.answer.value) : [];
  return (
    <div class="periods" role="group" aria-label={labelOf(field)}>
      {Array.from({ length: number }, (_, place) => (
        <button
          type="button"
          class="box"
          key={place}
          aria-label={`dice of ${place + 1}`}
          onClick={() => store.dice.value++}
        >
          <small>{place + 1}</small>
          <span {...mine()}>{curve[place] === undefined ? "·" : <Percent value={curve[place]} />}</span>
        </button>
      ))}
    </div>
  );
}

function Control(props: ControlProps) {
  const { takes } = props.field;
  if (takes.type === "flag") return <Switch {...props} />;
  if (optionsOf(props.field).length) return <Choice {...props} />;
  return takes.type === "number" ? <Stepper {...props} /> : <Text {...props} />;
}

/** The label, control, hint and fault of a field at a path of the question. */
export function Entry({ field, path, isBrief = false }: Props) {
  const id = `field-${path.replaceAll(".", "-")}`;
  const value = valueAt(store.question.value, path);
  const fault = store.fault.value?.path === path ? store.fault.value.message : null;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const around = fault === null ? null : place.current!.closest("details");
    if (around) around.open = true;
  }, [fault]);
  const set = (value: Value | null) => store.set(field, path, value);
  const props = { id, path, field, value, set, isBad: fault !== null };
  const { takes, role } = field;
  const areUnits = takes.type === "text" && (isOfUnits(field) || UNITS.includes(takes.called ?? ""));
  const isOne = role === "leader" || takes.called === "LEADER" || takes.called === "UNIT";
  const { subject } = store.kind.value;
  // Units are needed first, so they can be taken at once.
  const isFirst = path === (subject ?? field.name) && role === "stack";
  const about = (field.brief ?? field.about).replaceAll("`", "");
  const classes = ["field", takes.type === "flag" && "inline", areUnits && "wide"];
  return (
    <div class={classes.filter((one) => one).join(" ")} data-path={path} ref={place}>
      {areUnits ? (
        <Units
          system={store.system.value}
          id={id}
          label={labelOf(field)}
          text={value === undefined ? "" : String(value)}
          isOne={isOne}
          hasWeapons={role === "firers"}
          common={field.common ?? []}
          isOpen={value === undefined && (isFirst || path === subject || role === "firers")}
          invalid={fault !== null}
          changed={(text) => set(text.trim() === "" ? null : text)}
        />
      ) : field.common ? (
        <Pad {...props} />
      ) : (
        <div class="head">
          <label for={id} title={about}>
            {labelOf(field)}
          </label>
          <Control {...props} />
        </div>
      )}
      {role === "periods" ? <Periods {...props} /> : null}
      <p class={isBrief ? "hint unseen" : "hint"} id={`${id}-hint`}>
        {about + (field.rule ? ` (${field.rule})` : "")}
      </p>
      <p class="fault" id={`${id}-fault`} hidden={fault === null} {...mine()}>
        {fault}
      </p>
    </div>
  );
}
