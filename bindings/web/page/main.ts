// The page: a question above, its answer below, and what one does with them.
import { charts, hopes, inShort, pieces, scrolled, sentence, tiles } from "./answer";
import { beside, pad, tell, weigh, type Asked } from "./aside";
import { button, h, picture } from "./dom";
import { Engine, GivenUp } from "./engine";
import { isGerman, setGerman } from "./format";
import { OBJECTIVE, form, type Form } from "./form";
import * as kept from "./kept";
import { offline } from "./offline";
import { blamed, empty, kindOf, questionOf, request, systemOf, type Question } from "./question";
import { copyPicture, download, open } from "./sharing";
import type { Answer, Description, Fault } from "./types";

/** Longest fragment of a link. */
const MOST_LINK = 2000;
/** Pause after which what was asked is kept, and can be undone to, in milliseconds. */
const PAUSE = 700;

const engine = new Engine();

class Page {
  private question: Question;
  private form!: Form;
  private answer: Answer | null = null;
  private all = false;
  private readonly chart = { kind: "" };
  private pinned: Asked | null = null;
  private past: string[] = [];
  private future: string[] = [];
  private pause = 0;
  private asked = 0;

  private readonly kinds = h("nav", { class: "kinds", "aria-label": "questions" });
  private readonly formPlace = h("div");
  private readonly given = h("section", { class: "given", "aria-label": "what now" });
  private readonly answerPlace = h("div", { class: "answer" });
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly live = h("p", { class: "unseen", "aria-live": "polite" });
  private readonly bar = h("progress", { class: "bar", "aria-label": "progress", max: 1, value: 0 });
  private readonly stop = button("Stop", () => this.giveUp(), { class: "stop", hidden: true });
  private readonly why = h("section", { class: "why", hidden: true, "aria-label": "one sequence" });
  private readonly beside = h("section", { class: "beside", hidden: true, "aria-label": "side by side" });
  private readonly undo = button("↶", () => this.back(), { "aria-label": "undo", class: "icon" });
  private readonly redo = button("↷", () => this.forth(), { "aria-label": "redo", class: "icon" });
  private readonly recents = h("div", { class: "recents" });
  private readonly short = h("a", { class: "short", href: "#answer", hidden: true, click: (event: Event) => { event.preventDefault(); this.answerPlace.scrollIntoView(); } });
  private readonly notice = h("p", { class: "notice", hidden: true, role: "status" });

  constructor(private readonly description: Description) {
    const first = description.systems[0]!;
    // The first in which something is to be chosen: what players ask most.
    const kind = first.kinds.find(({ choices }) => choices === "policy") ?? first.kinds[0]!;
    this.question = empty(first.name, kind.name);
    document.getElementById("page")!.replaceChildren(this.header(), this.main(), this.footer());
    this.rebuild();
    addEventListener("hashchange", () => void this.follow());
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      if (event.shiftKey) this.forth(); else this.back();
    });
  }

  private header(): HTMLElement {
    const numbers = button(isGerman() ? "1,5" : "1.5", () => {
      setGerman(!isGerman());
      kept.keepGerman(isGerman());
      numbers.textContent = isGerman() ? "1,5" : "1.5";
      this.show();
    }, { "aria-label": "decimal comma or point", class: "icon" });
    return h("header", {}, h("h1", {}, "lowcrawl"), h("div", { class: "row" }, this.undo, this.redo, numbers));
  }

  private main(): HTMLElement {
    const systems = h("div", { class: "systems", role: "group", "aria-label": "systems" },
      ...this.description.systems.map(({ name, about }) =>
        button(about.split(":")[0]!, () => this.turn(name, null), { class: "chip", "data-system": name, title: about })));
    return h("main", {},
      h("div", { class: "ask" }, systems, this.kinds, this.formPlace, this.given),
      h("div", { class: "told" },
        h("div", { class: "working" }, this.bar, this.stop), this.notice, this.status, this.live,
        this.answerPlace, this.beside, this.why),
      this.short);
  }

  private footer(): HTMLElement {
    const file = h("input", { type: "file", accept: ".json,.toml,.csv", multiple: true, class: "unseen", tabindex: -1, "aria-label": "question file",
      change: () => void this.open(file) });
    return h("footer", {},
      h("div", { class: "row" }, button("Open a question", () => file.click(), { class: "quiet" }), button("Save it", () => void this.save(), { class: "quiet" }), file),
      this.recents,
      h("p", {}, "Everything is worked out on this device; nothing is sent anywhere. lowcrawl ", this.description.version, "."),
      h("p", {}, "Advanced Squad Leader and ASL are trademarks of their owners, as are the names of the other games. lowcrawl is not affiliated with them or endorsed by them."));
  }

  /** Another system or kind. */
  private turn(system: string, kind: string | null): void {
    const known = this.description.systems.find(({ name }) => name === system)!;
    const before = this.question;
    const next = empty(system, kind ?? known.kinds[0]!.name);
    // What both ask for stays.
    if (system === before.system) {
      const was = kindOf(this.description, before);
      const is = kindOf(this.description, next);
      for (const [name, value] of Object.entries(before.fields)) {
        const to = name === was.subject && is.subject ? is.subject : name;
        if (to !== "given" && is.fields.some((field) => field.name === to)) next.fields[to] = value;
      }
      next.options = { ...before.options };
    }
    const { choices, untold } = kindOf(this.description, next);
    const measure = known.measures.find(({ name }) => !untold?.includes(name));
    if (choices === "best" && measure) next.fields[OBJECTIVE] ??= measure.name;
    this.question = next;
    this.rebuild();
    this.changed();
  }

  /** The form anew, of another kind. */
  private rebuild(): void {
    const system = systemOf(this.description, this.question);
    for (const chip of document.querySelectorAll<HTMLElement>("[data-system]")) chip.setAttribute("aria-pressed", String(chip.dataset.system === system.name));
    this.kinds.replaceChildren(...system.kinds.map(({ name, about }) =>
      button(name.replaceAll("-", " "), () => this.turn(system.name, name), { class: "chip", title: about, "aria-pressed": name === this.question.kind ? "true" : "false" })));
    this.form = form(this.description, this.question, () => this.changed());
    const { about, help, tables } = kindOf(this.description, this.question);
    document.querySelector("main")!.classList.toggle("mapped", tables !== undefined);
    this.formPlace.replaceChildren(h("p", { class: "about" }, about), this.form.element,
      help ? h("details", {}, h("summary", {}, "how it is written"), scrolled("notation", h("pre", { class: "help" }, help))) : "");
    this.why.hidden = true;
    this.showRecents();
    this.pad();
  }

  private changed(): void {
    clearTimeout(this.pause);
    this.pause = window.setTimeout(() => this.settle(), PAUSE);
    void this.ask();
  }

  /** What stays for a while can be undone to. */
  private settle(): void {
    const now = JSON.stringify(this.question);
    if (this.past.at(-1) !== now) {
      this.past = [...this.past.slice(-99), now];
      this.future = [];
    }
    this.steps();
    if (this.answer?.link && this.answer.meta) {
      // On maps much is alike.
      const whose = this.answer.map ? hopes(this.answer).map(({ unit }) => `: ${unit}`).slice(0, 1) : [];
      kept.keep({ line: this.answer.link, about: [this.answer.meta.question, ...whose].join("") });
      this.showRecents();
    }
    this.pad();
  }

  private steps(): void {
    this.undo.disabled = this.past.length < 2;
    this.redo.disabled = this.future.length === 0;
  }

  private back(): void {
    const now = this.past.pop();
    const before = this.past.at(-1);
    if (now === undefined || before === undefined) {
      if (now !== undefined) this.past.push(now);
      return;
    }
    this.future.push(now);
    this.put(JSON.parse(before) as Question);
  }

  private forth(): void {
    const next = this.future.pop();
    if (next === undefined) return;
    this.past.push(next);
    this.put(JSON.parse(next) as Question);
  }

  /** A whole question in place of the one there is. */
  private put(question: Question): void {
    const isSame = question.system === this.question.system && question.kind === this.question.kind;
    this.question = question;
    if (isSame) this.form.show(question);
    else this.rebuild();
    this.steps();
    this.pad();
    void this.ask();
  }

  private beforehand(): Record<string, unknown> {
    return kindOf(this.description, this.question).choices === "best" ? { request: "solve" } : {};
  }

  private isBegun(): boolean {
    const { subject, steps } = kindOf(this.description, this.question);
    return subject ? this.question.fields[subject] !== undefined : steps?.length ? this.question.steps.length > 0 : Object.keys(this.question.fields).length > 0;
  }

  private async ask(): Promise<void> {
    const number = ++this.asked;
    if (!this.isBegun()) {
      engine.stop();
      this.done();
      this.answer = null;
      this.form.blame(null, "");
      this.answerPlace.replaceChildren(h("p", { class: "empty" }, this.hint()));
      this.short.hidden = true;
      this.status.textContent = "";
      this.beside.hidden = true;
      return;
    }
    const { text, places } = request(this.question, this.beforehand());
    const late = window.setTimeout(() => this.working(), 80);
    // Whether it is still wanted or not: a sign of work that comes late would stay.
    const asked = this.tell(text, (done, expected) => this.progress(done, expected)).finally(() => clearTimeout(late));
    try {
      const answer = await asked;
      if (number !== this.asked) return;
      this.done();
      if (answer.fault) this.refuse(answer.fault, blamed(answer.fault, places));
      else this.take(answer);
    } catch (error) {
      if (number !== this.asked) return;
      this.done();
      if (!(error instanceof GivenUp)) this.refuse({ message: `The engine gave up: ${error instanceof Error ? error.message : String(error)}. Ask for fewer units or phases.` }, null);
    }
  }

  private tell(text: string, progress?: (done: number, expected: number | null) => void): Promise<Answer> {
    const width = Math.max(280, Math.min(720, this.answerPlace.clientWidth || 320));
    return engine.ask(text, this.all, width, progress);
  }

  private hint(): string {
    const { subject, tables } = kindOf(this.description, this.question);
    if (tables) return "Draw the map, then put down who routs, and his enemies.";
    return subject ? "Tap + to put units on the table, or type them." : "Say what is asked.";
  }

  private working(): void {
    this.bar.classList.add("busy");
    this.bar.removeAttribute("value");
    this.stop.hidden = false;
    this.answerPlace.classList.add("old");
  }

  private progress(done: number, expected: number | null): void {
    this.working();
    if (expected) this.bar.value = Math.min(1, done / expected);
    this.stop.textContent = expected ? `Stop (${Math.floor((100 * done) / expected)} %)` : `Stop (${done.toLocaleString(isGerman() ? "de" : "en")} states)`;
  }

  private done(): void {
    this.bar.classList.remove("busy");
    this.bar.value = 0;
    this.stop.hidden = true;
    this.stop.textContent = "Stop";
    this.answerPlace.classList.remove("old");
  }

  private giveUp(): void {
    engine.stop();
    this.asked++;
    this.done();
    this.status.textContent = "Stopped. Change something to ask again.";
  }

  private refuse(fault: Fault, path: string | null): void {
    const message = fault.message + (fault.help ? ` (${fault.help})` : "");
    const isPlaced = this.form.blame(path, message);
    this.status.textContent = isPlaced ? "" : message;
    this.status.classList.toggle("bad", !isPlaced);
    // The last answer stays, so that nothing jumps; it is seen to be of something else.
    this.answerPlace.classList.add("old");
    this.live.textContent = message;
  }

  private take(answer: Answer): void {
    this.form.blame(null, "");
    this.status.textContent = "";
    this.status.classList.remove("bad");
    this.answer = answer;
    this.show();
    this.live.textContent = sentence(answer);
    this.short.textContent = inShort(answer);
    this.short.hidden = false;
    const fragment = answer.link && answer.link.length <= MOST_LINK ? `#${answer.link}` : " ";
    if (location.hash !== fragment.trim()) history.replaceState(null, "", fragment === " " ? location.pathname + location.search : fragment);
    if (this.pinned) this.weigh();
  }

  /** The answer there is. */
  private show(): void {
    const answer = this.answer;
    if (!answer?.meta) return;
    if (answer.map) this.form.draw(answer.map);
    this.answerPlace.replaceChildren(
      h("p", { class: "question" }, answer.meta.question),
      tiles(answer) ?? "",
      charts(answer, this.chart) ?? "",
      ...pieces(answer.screen ?? [], answer.map ? 0 : 1),
      answer.picture ? this.legend(answer.picture) : "",
      h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: this.all, change: (event: Event) => { this.all = (event.target as HTMLInputElement).checked; void this.ask(); } }), "every outcome"),
      this.deeds(answer),
      h("details", { class: "typed" }, h("summary", {}, "command line"), scrolled("command line", h("pre", {}, answer.meta.command)),
        this.copier("Copy", () => answer.meta!.command)));
  }

  /** The picture of a file, which says what its signs mean; drawn when it is wanted. */
  private legend(svg: string): HTMLElement {
    const place = h("div");
    return h("details", { toggle: () => { if (!place.firstChild) place.append(scrolled("picture", picture(svg) ?? h("p"))); } }, h("summary", {}, "the picture with its signs"), place);
  }

  private deeds(answer: Answer): HTMLElement {
    return h("div", { class: "deeds" },
      this.copier("Copy link", () => (answer.link && answer.link.length <= MOST_LINK ? location.href : null), "It is too long for a link: save it instead."),
      answer.markdown ? this.copier("Copy Markdown", () => answer.markdown!) : null,
      answer.charts?.length || answer.picture ? button("Copy picture", () => void copyPicture(this.picture(), (text) => this.say(text))) : null,
      button("Compare", () => this.pin()),
      button("Tell me why", () => void tell(this.description, this.question, this.why)));
  }

  private picture(): string {
    const { picture, charts } = this.answer ?? {};
    return picture ?? (charts?.find(({ kind }) => kind === this.chart.kind) ?? charts?.[0])?.svg ?? "";
  }

  private copier(name: string, text: () => string | null, instead = ""): HTMLButtonElement {
    const pressed = button(name, () => {
      const copied = text();
      if (copied === null) { this.say(instead); return; }
      navigator.clipboard.writeText(copied).then(() => this.say("Copied."), () => this.say("This browser does not let pages copy."));
    });
    return pressed;
  }

  private say(text: string): void {
    this.notice.textContent = text;
    this.notice.hidden = false;
    window.setTimeout(() => { this.notice.hidden = true; }, 4000);
  }

  private async save(): Promise<void> {
    const { text } = request(this.question, this.beforehand());
    if (kindOf(this.description, this.question).tables) {
      const written = await beside.file(text);
      if ("file" in written) download(`${this.question.kind}.toml`, new Blob([written.file], { type: "application/toml" }));
      return;
    }
    download(`lowcrawl-${this.question.kind}.json`, new Blob([JSON.stringify(JSON.parse(text), null, 2), "\n"], { type: "application/json" }));
  }

  private async open(input: HTMLInputElement): Promise<void> {
    const files = [...(input.files ?? [])];
    input.value = "";
    const opened = await open(files);
    if ("refused" in opened) this.say(opened.refused);
    else this.read(opened.text, opened.name);
  }

  /** A request from elsewhere in place of the question; what is none leaves it as it is. */
  private read(text: string, from: string): void {
    let request: unknown;
    try {
      request = JSON.parse(text);
    } catch {
      this.say(`${from} holds no question.`);
      return;
    }
    const fault = (request as { fault?: Fault }).fault;
    const question = typeof request === "object" && request !== null && !fault ? questionOf(this.description, request as Record<string, unknown>) : null;
    if (question) this.put(question);
    else this.say(fault ? `${from}: ${fault.message}${fault.help ? ` (${fault.help})` : ""}.` : `${from} holds something that this page cannot ask.`);
  }

  /** The question of the fragment. */
  async follow(): Promise<void> {
    const fragment = location.hash.slice(1);
    if (fragment === "" || fragment === this.answer?.link) return;
    let line = fragment;
    try {
      line = decodeURIComponent(fragment);
    } catch {
      // As it stands, then: the engine says what is wrong with it.
    }
    if (line === this.answer?.link) return;
    if (line.length > MOST_LINK) {
      this.say(`The link is too long: at most ${MOST_LINK} characters are read.`);
      return;
    }
    this.read(JSON.stringify(await beside.follow(line)), "The link");
  }

  private showRecents(): void {
    const all = kept.recent();
    this.recents.hidden = all.length === 0;
    this.recents.replaceChildren(h("h2", {}, "Recent"),
      h("ul", {}, ...all.map(({ line, about }) => h("li", {}, button(about, () => void beside.follow(line).then((found) => this.read(JSON.stringify(found), "It")), { class: "link" })))),
      button("Clear", () => { kept.clear(); this.showRecents(); }, { class: "quiet" }));
  }

  private pad(): void {
    if (this.isBegun()) void pad(this.description, this.question, this.given, () => { this.form.show(this.question); this.changed(); this.pad(); }, (text) => this.say(text));
    else this.given.replaceChildren();
  }

  private weigh(): void {
    if (!this.pinned || !this.answer?.meta) return;
    void weigh(this.description, this.beside, this.pinned, { question: this.question, answer: this.answer }, () => { this.pinned = null; this.beside.hidden = true; });
  }

  /** This question stays, to be seen beside the next one. */
  private pin(): void {
    if (!this.answer) return;
    this.pinned = { question: structuredClone(this.question), answer: this.answer };
    this.weigh();
    this.say("Now change something: both stand side by side.");
  }

}

setGerman(kept.german());
engine.describe().then(
  async (description) => {
    const page = new Page(description);
    await page.follow();
    document.documentElement.dataset.ready = "true";
    offline();
  },
  (error: unknown) => {
    document.getElementById("page")!.replaceChildren(h("p", { class: "notice" }, `This browser cannot run the engine: ${String(error)}`));
  },
);
