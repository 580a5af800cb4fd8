// The form of a kind of question: its fields, in a convenient order, for any system.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Controls } from "./controls";
import { Dom, useFocus } from "./dom-part";
import { EXPLAIN, editor, type Editor } from "./editor";
import { Entry, isOfUnits, labelOf, words } from "./fields";
import { OBJECTIVE, attackOf, initials } from "./question";
import * as store from "./store";
import type { Field, Kind, System } from "./types";

/** The number of fields that stand in view, if few are common. */
const FIRST = 6;

/** Whether players set a field often. */
const isCommon = ({ common, initial, role, replaces }: Field): boolean =>
  Boolean(common || initial || replaces || role === "periods" || role === "stack" || role === "leader");

interface Fields {
  subject: Field[];
  first: Field[];
  more: Field[];
  /** The firers of an attack, and its circumstances. */
  attack: Field[];
  settings: Field[];
}

/** The fields of a kind or step, by their places in the form. */
function sorted(kind: Kind, fields: Field[], subject: string | null | undefined): Fields {
  const asked = fields.filter(
    (field) => field.role !== "dice" && (!kind.requests || isOfQuestion(kind, field)),
  );
  const own = asked.filter((field) => (subject === undefined ? false : field.name === subject));
  const subjects = own.length || subject === undefined ? own : asked.filter(isOfUnits);
  const settings = asked.filter(({ role }) => role === "setting");
  const attack = attackOf(asked);
  const taken = new Set([...subjects, ...settings, ...attack]);
  const rest = asked
    .filter((field) => !taken.has(field))
    // Fields of the request come before the rules by which the map is read.
    .sort(
      (a, b) =>
        Number(isCommon(b)) - Number(isCommon(a)) ||
        Number(isOfRequest(kind, b)) - Number(isOfRequest(kind, a)),
    );
  const most = Math.max(FIRST, rest.filter(isCommon).length);
  return { subject: subjects, first: rest.slice(0, most), more: rest.slice(most), attack, settings };
}

const List = ({
  fields,
  prefix = "",
  isBrief = false,
}: {
  fields: Field[];
  prefix?: string;
  isBrief?: boolean;
}) => (
  <>
    {fields.map((field) => (
      <Entry
        key={prefix + field.name}
        field={field.name === OBJECTIVE ? objective(field, store.system.value) : field}
        path={prefix + field.name}
        isBrief={isBrief && field.label !== undefined}
      />
    ))}
  </>
);

function Fold({
  title,
  fields,
  prefix,
  name = "more",
}: {
  title: string;
  fields: Field[];
  prefix?: string;
  name?: string;
}) {
  if (!fields.length) return null;
  return (
    <details class={name}>
      <summary>{title}</summary>
      <List fields={fields} prefix={prefix} isBrief={name !== "more"} />
    </details>
  );
}

/** The firers of an attack and its circumstances; the common ones come first. */
function Attack({ fields, prefix = "" }: { fields: Field[]; prefix?: string }) {
  if (!fields.length) return null;
  const common = fields.filter((field) => isCommon(field));
  const rest = fields.filter((field) => !isCommon(field));
  const title = common.slice(0, 2).map(labelOf).join(", ").toLowerCase();
  return (
    <details
      class="attack"
      onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: "start" })}
    >
      <summary>Reckon it: {title} …</summary>
      <List fields={common} prefix={prefix} isBrief />
      <Fold title="further circumstances" fields={rest} prefix={prefix} />
    </details>
  );
}

/** The map of a question, which is drawn by hand. */
function MapEditor({ kind }: { kind: Kind }) {
  const made = useRef<{ editor: Editor; drop: () => void } | null>(null);
  if (!made.current) {
    const controls = new Controls();
    const { made: one, drop } = controls.scope(() => editor(kind, controls));
    made.current = { editor: one, drop };
  }
  const { answer, fault } = store;
  const drawn = answer.value?.map;
  useLayoutEffect(() => {
    if (drawn) made.current!.editor.draw(drawn);
  }, [drawn]);
  const bad = fault.value;
  useLayoutEffect(() => {
    if (bad) made.current!.editor.blame(bad.path, bad.message);
  }, [bad]);
  useEffect(() => () => made.current?.drop(), []);
  return <Dom of={() => made.current!.editor.element} />;
}

/** The steps of a sequence, in order. */
function Steps({ kind }: { kind: Kind }) {
  const { steps } = store.question.value;
  const newest = useRef<HTMLLIElement>(null);
  const number = useRef(steps.length);
  const place = useFocus<HTMLDivElement>();
  useLayoutEffect(() => {
    if (steps.length > number.current) newest.current?.scrollIntoView({ block: "start" });
    number.current = steps.length;
  }, [steps.length]);
  return (
    <div class="field wide" ref={place}>
      <ol class="steps">
        {steps.map((step, at) => {
          const known = kind.steps!.find((known) => known.do === step.do)?.fields ?? [];
          const { first, more, attack } = sorted(kind, known, undefined);
          const prefix = `step.${at}.`;
          return (
            <li key={`${at} ${step.do}`} ref={at === steps.length - 1 ? newest : null}>
              <div class="row">
                <strong>{words(step.do)}</strong>
                {at > 0 ? (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`step ${at + 1} earlier`}
                    onClick={() =>
                      store.change(({ steps }) => void steps.splice(at - 1, 0, ...steps.splice(at, 1)))
                    }
                  >
                    ↑
                  </button>
                ) : null}
                <button
                  type="button"
                  class="quiet"
                  aria-label={`remove step ${at + 1}`}
                  onClick={() => store.change(({ steps }) => void steps.splice(at, 1))}
                >
                  remove
                </button>
              </div>
              <List fields={first.filter(isCommon)} prefix={prefix} isBrief />
              <Attack fields={attack} prefix={prefix} />
              <List fields={first.filter((field) => !isCommon(field))} prefix={prefix} isBrief />
              <Fold title="more" fields={more} prefix={prefix} />
            </li>
          );
        })}
      </ol>
      <div class="chips add-steps" role="group" aria-label="add a step">
        {kind.steps!.map(({ do: what, fields }) => (
          <button
            type="button"
            class="chip"
            key={what}
            onClick={() =>
              store.change(({ steps }) => void steps.push({ do: what, fields: initials(fields) }))
            }
          >
            + {words(what)}
          </button>
        ))}
      </div>
    </div>
  );
}

/** The settings of the game, in a line that opens. */
export function Settings() {
  const { systems } = store.description;
  const { settings } = sorted(store.kind.value, store.kind.value.fields, null);
  const now = store.question.value;
  const said = settings.flatMap((field) => {
    const value = now.fields[field.name] ?? field.default;
    if (value === null || value === undefined) return [];
    return field.takes.type === "number" ? [`${labelOf(field)} ${value}`] : [words(String(value))];
  });
  const name = (about: string) => about.slice(0, about.indexOf(":"));
  return (
    <details class="settings">
      <summary>{[name(store.system.value.about), ...said].join(" · ")}</summary>
      <div class="systems" role="group" aria-label="systems">
        {systems.map((one) => (
          <button
            type="button"
            class="chip"
            key={one.name}
            data-system={one.name}
            title={one.about}
            aria-pressed={one.name === now.system}
            onClick={() => store.turn(one, one.kinds[0]!)}
          >
            {name(one.about)}
          </button>
        ))}
      </div>
      <List fields={settings} isBrief />
    </details>
  );
}

/** The form of the question on screen. */
export function Form() {
  const kind = store.kind.value;
  const { subject, first, more, attack } = sorted(kind, kind.fields, kind.subject ?? null);
  const { requests } = store.description;
  const best = kind.choices === "best" ? (requests.solve ?? []).filter(({ name }) => name === OBJECTIVE) : [];
  const key = `${store.question.value.system} ${kind.name}`;
  return (
    <form class="form" key={key} onSubmit={(event) => event.preventDefault()}>
      {kind.tables ? <MapEditor kind={kind} /> : null}
      <List fields={subject} isBrief />
      {kind.steps?.length ? <Steps kind={kind} /> : null}
      <List fields={best} />
      <List fields={first.filter(isCommon)} isBrief />
      <Attack fields={attack} />
      <List fields={first.filter((field) => !isCommon(field))} isBrief />
      <Fold title="more" fields={more} />
      <details class="more">
        <summary>how it is answered</summary>
        {(requests.options ?? []).map((field) => (
          <Entry key={field.name} field={field} path={`options.${field.name}`} />
        ))}
      </details>
    </form>
  );
}

/** Whether a field belongs to the request about a map, beside its situation. */
const isOfRequest = ({ requests }: Kind, { name }: Field): boolean =>
  requests?.question?.includes(name) ?? false;
/**
 * Whether the form of a map shows a field. It omits other requests, and `explain` is asked by a
 * tap.
 */
const isOfQuestion = (kind: Kind, field: Field): boolean =>
  field.name !== EXPLAIN &&
  (isOfRequest(kind, field) ||
    !Object.values(kind.requests ?? {}).some((names) => names.includes(field.name)));

/** The field of the objective, with all measures as words to choose from. */
const objective = (field: Field, system: System): Field => ({
  ...field,
  takes: { type: "word", words: system.measures.map(({ name }) => name) },
});
