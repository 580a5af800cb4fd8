// The page: a question, its answer, and the actions on them.
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { charts, pieces, scrolled, tiles } from "./answer";
import { beside, pad, tell, weigh } from "./aside";
import { mainOf } from "./card";
import { button, h, picture } from "./dom";
import { useFocus } from "./dom-part";
import { assign, mine } from "./figures";
import { Form, Settings } from "./form";
import { isGerman, percent, setGerman } from "./format";
import * as kept from "./kept";
import { offline } from "./offline";
import { copyPicture, download, open } from "./sharing";
import * as store from "./store";
import { Top } from "./top";
import type { Answer, Kind } from "./types";

/** The number of kinds in view; the others unfold. */
const TILES = 5;

const chart = { kind: "" };

/** The picture of an answer: that of a file, or the chart on screen. */
const pictureOf = ({ picture, charts }: Answer): string =>
  picture ?? (charts?.find(({ kind }) => kind === chart.kind) ?? charts?.[0])?.svg ?? "";

async function copy(text: string | null, instead = ""): Promise<void> {
  if (text === null) return store.say(instead);
  await navigator.clipboard.writeText(text).then(
    () => store.say("Copied."),
    () => store.say("This browser does not let pages copy."),
  );
}

/** Hands the question and its number to another program, or copies the link. */
async function share(answer: Answer): Promise<void> {
  const url = store.linkOf(answer);
  if (!url) return store.say("It is too long for a link: save it instead.");
  const main = mainOf(store.system.value, store.question.value, answer);
  const text = [answer.meta?.question, main && percent(main.value, 0)].filter((word) => word).join(": ");
  if (!navigator.share) return copy(url);
  try {
    await navigator.share({ title: "lowcrawl", text, url });
  } catch (error) {
    if ((error as Error).name !== "AbortError") await copy(url);
  }
}

function Header() {
  const [comma, setComma] = useState(isGerman());
  const { answer, past, future } = store;
  return (
    <header>
      <h1>lowcrawl</h1>
      <div class="row">
        <button
          type="button"
          class="icon"
          aria-label="undo"
          disabled={past.value.length < 2}
          onClick={store.undo}
        >
          ↶
        </button>
        <button
          type="button"
          class="icon"
          aria-label="redo"
          disabled={!future.value.length}
          onClick={store.redo}
        >
          ↷
        </button>
        <button
          type="button"
          class="icon"
          aria-label="decimal comma or point"
          onClick={() => {
            setGerman(!comma);
            kept.keepGerman(!comma);
            setComma(!comma);
            // What is told is told anew in the other notation.
            store.last.value = store.last.value && { ...store.last.value };
          }}
        >
          {comma ? "1,5" : "1.5"}
        </button>
        <button
          type="button"
          class="share"
          disabled={!answer.value}
          onClick={() => void (answer.value && share(answer.value))}
        >
          Share
        </button>
      </div>
    </header>
  );
}

const labelOf = ({ label, name }: Kind): string => label ?? name.replaceAll("-", " ");

/** A tile for each kind of question; those that players ask most come first. */
function Kinds() {
  const [isWhole, setWhole] = useState(false);
  const system = store.system.value;
  const now = store.kind.value;
  const all = [...system.kinds].sort((a, b) => (a.place ?? 99) - (b.place ?? 99));
  const first = all.slice(0, all.length > TILES + 1 ? TILES : TILES + 1);
  const isFirst = first.includes(now);
  const place = useFocus<HTMLElement>();
  // The chosen kind is always in view.
  const shown = isFirst ? first : [...first.slice(0, -1), now];
  return (
    <nav ref={place} class={isWhole ? "kinds whole" : "kinds"} aria-label="questions">
      {[...shown, ...all.filter((kind) => !shown.includes(kind))].map((kind) => (
        <button
          type="button"
          key={kind.name}
          data-kind={kind.name}
          title={kind.about}
          hidden={!isWhole && !shown.includes(kind)}
          aria-pressed={kind === now}
          onClick={() => {
            setWhole(false);
            store.turn(system, kind);
          }}
        >
          {kind.icon ? (
            <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
              <path d={kind.icon} />
            </svg>
          ) : null}
          <span>{labelOf(kind)}</span>
          {isWhole && kind.brief ? <small>{kind.brief.replaceAll("`", "")}</small> : null}
        </button>
      ))}
      {all.length > TILES + 1 ? (
        <button type="button" class="rest" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          <span>{isWhole ? "fewer" : "more"}</span>
        </button>
      ) : null}
    </nav>
  );
}

/** The dice on the table, and those that are due. */
function Given() {
  const place = useRef<HTMLElement>(null);
  const { question, isAsked, settled, dice, answer, fault } = store;
  const wished = useRef(dice.value);
  const isDue = settled.value + dice.value;
  const isTold = answer.value ?? fault.value;
  useEffect(() => {
    const section = place.current!;
    const isWished = wished.current !== dice.value;
    wished.current = dice.value;
    if (!isAsked.value) return section.replaceChildren();
    const lay = (field: string, dice: string) =>
      store.change(({ fields }) => {
        if (dice) fields[field] = dice;
        else delete fields[field];
      });
    void pad(store.description, question.value, section, lay, (text) => store.say(text)).then(() => {
      const details = section.querySelector("details");
      if (!isWished || !details) return;
      details.open = true;
      details.scrollIntoView({ block: "nearest" });
    });
  }, [isDue, isTold, isAsked.value]);
  return <section class="given" aria-label="what now" ref={place} />;
}

/** The answer as text, tables and charts. */
function Told() {
  const place = useRef<HTMLDivElement>(null);
  const why = useRef<HTMLElement>(null);
  const side = useRef<HTMLElement>(null);
  const { last, answer, isAll, isAsked, pinned, question, description } = store;
  const told = answer.value && last.value;
  useLayoutEffect(() => {
    store.charts.width = Math.max(280, Math.min(720, place.current!.clientWidth - 26));
  });
  useLayoutEffect(() => {
    if (!isAsked.value) {
      place.current!.replaceChildren(h("p", { class: "empty" }));
      assign(place.current!);
    } else if (told) {
      place.current!.replaceChildren(
        ...answered(told.answer, () => void tell(description, question.value, why.current!)),
      );
      assign(place.current!);
    }
  }, [told, isAsked.value]);
  useLayoutEffect(() => {
    why.current!.hidden = true;
  }, [store.kind.value]);
  const before = pinned.value;
  useEffect(() => {
    if (!before) side.current!.hidden = true;
    else if (told)
      void weigh(description, side.current!, before, { ...told, question: question.value }, store.pin);
  }, [told, before]);
  return (
    <div class="told">
      <p class="unseen" aria-live="polite" {...mine()}>
        {store.spoken.value}
      </p>
      <section class="beside" hidden aria-label="side by side" ref={side} />
      <div class="answer" ref={place} />
      <label class="switch" hidden={!told}>
        <input
          type="checkbox"
          role="switch"
          checked={isAll.value}
          onChange={(event) => {
            isAll.value = event.currentTarget.checked;
          }}
        />
        every outcome
      </label>
      <section class="why" hidden aria-label="one sequence" ref={why} />
    </div>
  );
}

/** The parts of an answer, in the order in which a player reads them. */
function answered(answer: Answer, why: () => void): Node[] {
  const { meta, markdown, picture: file } = answer;
  const hasPicture = Boolean(answer.charts?.length || file);
  return [
    h("p", { class: "question" }, meta!.question),
    tiles(answer),
    charts(answer, chart),
    ...pieces(answer.screen ?? [], answer.map ? 0 : 1),
    file ? legend(file) : null,
    h(
      "div",
      { class: "deeds" },
      button(
        "Copy link",
        () => void copy(store.linkOf(answer), "It is too long for a link: save it instead."),
      ),
      markdown ? button("Copy Markdown", () => void copy(markdown)) : null,
      hasPicture ? button("Copy picture", () => void copyPicture(pictureOf(answer), store.say)) : null,
      button("Tell me why", why),
    ),
    h(
      "details",
      { class: "typed" },
      h("summary", {}, "command line"),
      scrolled("command line", h("pre", {}, meta!.command)),
      button("Copy", () => void copy(meta!.command)),
    ),
  ].filter((part): part is HTMLElement => part !== null);
}

/** The picture of a file, which explains its signs; drawn when opened. */
function legend(svg: string): HTMLElement {
  const place = h("div");
  return h(
    "details",
    {
      toggle: () => {
        if (!place.firstChild) place.append(scrolled("picture", picture(svg) ?? h("p")));
      },
    },
    h("summary", {}, "the picture with its signs"),
    place,
  );
}

async function save(): Promise<void> {
  const { question, text } = store;
  const { kind } = question.value;
  if (store.kind.value.tables) {
    const written = await beside.file(text.value);
    if ("file" in written) download(`${kind}.toml`, new Blob([written.file], { type: "application/toml" }));
    else store.say(store.faultText(written.fault), true);
    return;
  }
  const pretty = JSON.stringify(JSON.parse(text.value), null, 2);
  download(`lowcrawl-${kind}.json`, new Blob([pretty, "\n"], { type: "application/json" }));
}

async function openFiles(input: HTMLInputElement): Promise<void> {
  const files = [...(input.files ?? [])];
  input.value = "";
  const opened = await open(files);
  if ("refused" in opened) store.say(opened.refused, true);
  else store.read(opened.text, opened.name);
}

function Recents() {
  const all = store.recents.value;
  return (
    <div class="recents" hidden={!all.length}>
      <h2>Recent</h2>
      <ul>
        {all.map(({ line, about }) => (
          <li key={line}>
            <button
              type="button"
              class="link"
              onClick={() =>
                void beside.follow(line).then((found) => store.read(JSON.stringify(found), "It"))
              }
            >
              {about}
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          kept.clear();
          store.recents.value = [];
        }}
      >
        Clear
      </button>
    </div>
  );
}

function Footer() {
  const file = useRef<HTMLInputElement>(null);
  return (
    <footer>
      <div class="row">
        <button type="button" class="quiet" onClick={() => file.current!.click()}>
          Open a question
        </button>
        <button type="button" class="quiet" onClick={() => void save()}>
          Save it
        </button>
        <input
          ref={file}
          type="file"
          accept=".json,.toml,.csv"
          multiple
          class="unseen"
          tabindex={-1}
          aria-label="question file"
          onChange={(event) => void openFiles(event.currentTarget)}
        />
      </div>
      <Recents />
      <p>
        Everything is worked out on this device; nothing is sent anywhere. lowcrawl{" "}
        {store.description.version}.
      </p>
      <p>
        Advanced Squad Leader and ASL are trademarks of their owners, as are the names of the other games.
        lowcrawl is not affiliated with them or endorsed by them.
      </p>
    </footer>
  );
}

function Notice() {
  const now = store.notice.value;
  return (
    <p class="notice" role="status" hidden={!now}>
      {now?.text}{" "}
      {now?.isFault ? (
        <button type="button" onClick={() => (store.notice.value = null)}>
          Close
        </button>
      ) : null}
    </p>
  );
}

function Help() {
  const { help } = store.kind.value;
  return (
    <>
      <p class="about">{store.kind.value.about}</p>
      {help ? (
        <details>
          <summary>how it is written</summary>
          <div class="wide" tabindex={0} role="group" aria-label="notation">
            <pre class="help">{help}</pre>
          </div>
        </details>
      ) : null}
    </>
  );
}

function Page() {
  return (
    <>
      <Header />
      <main class={store.kind.value.tables ? "mapped" : ""}>
        <Top />
        <div class="ask">
          <Kinds />
          <Settings />
          <Form />
          <Given />
          <Help />
        </div>
        <Told />
      </main>
      <Footer />
      <Notice />
    </>
  );
}

setGerman(kept.german());
const place = document.getElementById("page")!;
store.describe().then(
  async (description) => {
    store.begin(description);
    addEventListener("hashchange", () => void store.follow());
    addEventListener("unhandledrejection", ({ reason }) => store.say(store.failureText(reason), true));
    addEventListener("keydown", (event) => {
      const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
      if (!isUndo || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      if (event.shiftKey) store.redo();
      else store.undo();
    });
    await store.start();
    place.replaceChildren();
    render(<Page />, place);
    document.documentElement.dataset.ready = "true";
    offline();
  },
  (error: unknown) =>
    place.replaceChildren(
      h("p", { class: "notice" }, `This browser cannot run the engine: ${String(error)}`),
    ),
);
