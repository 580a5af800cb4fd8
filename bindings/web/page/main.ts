// The page: a question, its answer, and the actions on them.
import { charts, hopes, inShort, pieces, scrolled, sentence, tiles } from "./answer";
import { beside, pad, tell, weigh, type Asked } from "./aside";
import { button, h, picture } from "./dom";
import { Engine, GivenUp } from "./engine";
import { assign, currentQuestion, setQuestion } from "./figures";
import { isGerman, setGerman } from "./format";
import { OBJECTIVE, form, type Form } from "./form";
import * as kept from "./kept";
import { offline } from "./offline";
import { blamed, empty, kindOf, questionOf, request, systemOf, type Question } from "./question";
import { copyPicture, download, open } from "./sharing";
import type { Answer, Description, Fault } from "./types";

/** The greatest length of the fragment of a link. */
const MOST_LINK = 2000;
/** The pause after which a question is stored and becomes an undo step, in milliseconds. */
const PAUSE = 700;

const engine = new Engine();

class Page {
  private question: Question;
  private form!: Form;
  /** The last answer, which may belong to another question than the current one. */
  private last: Asked | null = null;
  private all = false;
  private readonly chart = { kind: "" };
  private pinned: Asked | null = null;
  private past: string[] = [];
  private future: string[] = [];
  private pause = 0;
  private isSettled = false;
  private asked = 0;

  private readonly kinds = h("nav", { class: "kinds", "aria-label": "questions" });
  private readonly formPlace = h("div");
  private readonly given = h("section", { class: "given", "aria-label": "what now" });
  private readonly answerPlace = h("div", { class: "answer" });
  private readonly status = h("p", { class: "status", hidden: true });
  private readonly live = h("p", { class: "unseen", "aria-live": "polite" });
  private readonly bar = h("progress", { class: "bar", "aria-label": "progress", max: 1, value: 0 });
  private readonly stop = button("Stop", () => this.giveUp(), { class: "stop", hidden: true });
  private readonly why = h("section", { class: "why", hidden: true, "aria-label": "one sequence" });
  private readonly beside = h("section", { class: "beside", hidden: true, "aria-label": "side by side" });
  private readonly undo = button("↶", () => this.back(), { "aria-label": "undo", class: "icon" });
  private readonly redo = button("↷", () => this.forth(), { "aria-label": "redo", class: "icon" });
  private readonly recents = h("div", { class: "recents" });
  private readonly shortFigure = h("span");
  private readonly short = h(
    "a",
    {
      class: "short",
      href: "#answer",
      hidden: true,
      click: (event: Event) => {
        event.preventDefault();
        (this.stop.hidden ? this.answerPlace : this.stop).scrollIntoView();
      },
    },
    this.shortFigure,
  );
  private readonly notice = h("p", { class: "notice", hidden: true, role: "status" });
  private noticed = 0;
  /** Hides the report of a fault while its line at the field is in view. */
  private readonly inView = new IntersectionObserver(
    (entries) => {
      this.status.hidden = entries.at(-1)!.isIntersecting;
    },
    { rootMargin: "0px 0px -64px" },
  );

  constructor(private readonly description: Description) {
    const first = description.systems[0]!;
    // The page begins with the first kind that has policies, because players ask it most.
    const kind = first.kinds.find(({ choices }) => choices === "policy") ?? first.kinds[0]!;
    this.question = empty(first.name, kind.name);
    document
      .getElementById("page")!
      .replaceChildren(
        this.header(),
        this.main(),
        this.footer(),
        h("section", { class: "dock", "aria-label": "in short" }, this.notice, this.status, this.short),
      );
    this.rebuild();
    addEventListener("hashchange", () => void this.follow());
    addEventListener("unhandledrejection", ({ reason }) => this.say(failureText(reason), true));
    addEventListener("keydown", (event) => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.key.toLowerCase() !== "z" ||
        event.target instanceof HTMLInputElement
      )
        return;
      event.preventDefault();
      if (event.shiftKey) this.forth();
      else this.back();
    });
  }

  private header(): HTMLElement {
    const numbers = button(
      isGerman() ? "1,5" : "1.5",
      () => {
        setGerman(!isGerman());
        kept.keepGerman(isGerman());
        numbers.textContent = isGerman() ? "1,5" : "1.5";
        this.show();
      },
      { "aria-label": "decimal comma or point", class: "icon" },
    );
    return h(
      "header",
      {},
      h("h1", {}, "lowcrawl"),
      h("div", { class: "row" }, this.undo, this.redo, numbers),
    );
  }

  private main(): HTMLElement {
    const systems = h(
      "div",
      { class: "systems", role: "group", "aria-label": "systems" },
      ...this.description.systems.map(({ name, about }) =>
        button(about.split(":")[0]!, () => this.turn(name, null), {
          class: "chip",
          "data-system": name,
          title: about,
        }),
      ),
    );
    return h(
      "main",
      {},
      h("div", { class: "ask" }, systems, this.kinds, this.formPlace, this.given),
      h(
        "div",
        { class: "told" },
        h("div", { class: "working" }, this.bar, this.stop),
        this.live,
        this.answerPlace,
        this.beside,
        this.why,
      ),
    );
  }

  private footer(): HTMLElement {
    const file = h("input", {
      type: "file",
      accept: ".json,.toml,.csv",
      multiple: true,
      class: "unseen",
      tabindex: -1,
      "aria-label": "question file",
      change: () => void this.open(file),
    });
    return h(
      "footer",
      {},
      h(
        "div",
        { class: "row" },
        button("Open a question", () => file.click(), { class: "quiet" }),
        button("Save it", () => void this.save(), { class: "quiet" }),
        file,
      ),
      this.recents,
      h(
        "p",
        {},
        "Everything is worked out on this device; nothing is sent anywhere. lowcrawl ",
        this.description.version,
        ".",
      ),
      h(
        "p",
        {},
        "Advanced Squad Leader and ASL are trademarks of their owners, as are the names of the other games. lowcrawl is not affiliated with them or endorsed by them.",
      ),
    );
  }

  /** Switches to another system or kind. */
  private turn(system: string, kind: string | null): void {
    const known = this.description.systems.find(({ name }) => name === system)!;
    const before = this.question;
    const next = empty(system, kind ?? known.kinds[0]!.name);
    // Fields that both kinds have keep their values.
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

  /** Builds the form anew for another kind. */
  private rebuild(): void {
    const system = systemOf(this.description, this.question);
    for (const chip of document.querySelectorAll<HTMLElement>("[data-system]"))
      chip.setAttribute("aria-pressed", String(chip.dataset.system === system.name));
    this.kinds.replaceChildren(
      ...system.kinds.map(({ name, about }) =>
        button(name.replaceAll("-", " "), () => this.turn(system.name, name), {
          class: "chip",
          title: about,
          "aria-pressed": name === this.question.kind ? "true" : "false",
        }),
      ),
    );
    this.form = form(this.description, this.question, () => this.changed());
    const { about, help, tables } = kindOf(this.description, this.question);
    document.querySelector("main")!.classList.toggle("mapped", tables !== undefined);
    this.formPlace.replaceChildren(
      h("p", { class: "about" }, about),
      this.form.element,
      help
        ? h(
            "details",
            {},
            h("summary", {}, "how it is written"),
            scrolled("notation", h("pre", { class: "help" }, help)),
          )
        : "",
    );
    this.why.hidden = true;
    this.showRecents();
  }

  /** Handles a change by hand. */
  private changed(): void {
    this.notice.hidden = true;
    this.begin();
  }

  private begin(): void {
    clearTimeout(this.pause);
    this.isSettled = false;
    this.pause = window.setTimeout(() => this.settle(), PAUSE);
    void this.ask();
  }

  /** Records the question as an undo step after a pause. */
  private settle(): void {
    const now = JSON.stringify(this.question);
    if (this.past.at(-1) !== now) {
      this.past = [...this.past.slice(-99), now];
      this.future = [];
    }
    this.steps();
    this.isSettled = true;
    this.keep();
    this.pad();
  }

  /** Stores a question that has stayed for the pause and has its answer, when both are true. */
  private keep(): void {
    const answer = this.answer;
    if (!this.isSettled || !answer?.link || !answer.meta) return;
    // Questions on maps look alike, so the unit is added.
    const whose = answer.map
      ? hopes(answer)
          .map(({ unit }) => `: ${unit}`)
          .slice(0, 1)
      : [];
    kept.keep({ line: answer.link, about: [answer.meta.question, ...whose].join("") });
    this.showRecents();
  }

  /** The answer to the current question, once it has arrived. */
  private get answer(): Answer | null {
    return this.last?.text === currentQuestion() ? this.last.answer : null;
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

  /** Replaces the whole question. */
  private put(question: Question): void {
    const isSame = question.system === this.question.system && question.kind === this.question.kind;
    this.question = question;
    if (isSame) this.form.show(question);
    else this.rebuild();
    this.steps();
    this.begin();
  }

  private beforehand(): Record<string, unknown> {
    return kindOf(this.description, this.question).choices === "best" ? { request: "solve" } : {};
  }

  private isBegun(): boolean {
    const { subject, steps } = kindOf(this.description, this.question);
    return subject
      ? this.question.fields[subject] !== undefined
      : steps?.length
        ? this.question.steps.length > 0
        : Object.keys(this.question.fields).length > 0;
  }

  private async ask(): Promise<void> {
    const number = ++this.asked;
    const { text, places } = request(this.question, this.beforehand());
    setQuestion(text);
    kept.keepDraft(text);
    this.done();
    this.report("");
    if (!this.isBegun()) {
      engine.stop();
      this.form.blame(null, "");
      this.answerPlace.replaceChildren(h("p", { class: "empty" }, this.hint()));
      assign(this.answerPlace);
      this.showShort("");
      this.address("");
      this.beside.hidden = true;
      this.pad();
      return;
    }
    const ifWanted = (show: () => void) => {
      if (number === this.asked) show();
    };
    const late = window.setTimeout(() => ifWanted(() => this.working()), 80);
    // The timer is cleared even for an outdated question, or its busy sign would stay.
    const asked = this.tell(text, (done, expected) => ifWanted(() => this.progress(done, expected))).finally(
      () => clearTimeout(late),
    );
    try {
      const answer = await asked;
      if (number !== this.asked) return;
      this.done();
      if (answer.fault) this.refuse(answer.fault, blamed(answer.fault, places));
      else this.take({ question: this.question, text, answer });
    } catch (error) {
      if (number !== this.asked) return;
      this.done();
      if (!(error instanceof GivenUp)) this.refuse({ message: failureText(error) }, null);
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
    assign(this.stop);
    if (this.answer) return;
    this.showShort("Computing …");
    this.address("");
  }

  private progress(done: number, expected: number | null): void {
    this.working();
    if (expected) this.bar.value = Math.min(1, done / expected);
    this.stop.textContent = expected
      ? `Stop (${Math.floor((100 * done) / expected)} %)`
      : `Stop (${done.toLocaleString(isGerman() ? "de" : "en")} states)`;
  }

  private done(): void {
    this.bar.classList.remove("busy");
    this.bar.value = 0;
    this.stop.hidden = true;
    this.stop.textContent = "Stop";
  }

  private giveUp(): void {
    engine.stop();
    this.asked++;
    this.done();
    if (!this.answer) this.showShort("");
    this.report("Stopped. Change something to ask again.");
  }

  private refuse(fault: Fault, path: string | null): void {
    const message = faultText(fault);
    this.showShort("");
    this.address("");
    this.report(message, this.form.blame(path, message));
    this.pad();
  }

  /**
   * Shows why there is no answer, at any scroll position; a fault may have a line at its field too.
   */
  private report(message: string, line?: HTMLElement | null): void {
    this.status.textContent = this.live.textContent = message;
    this.status.classList.toggle("bad", line !== undefined);
    [this.status, this.live].forEach((part) => assign(part));
    this.inView.disconnect();
    this.status.hidden = message === "" || Boolean(line);
    if (line) this.inView.observe(line);
  }

  /** Shows a text in the bar at the bottom of a phone, or hides the bar if it is empty. */
  private showShort(text: string): void {
    this.shortFigure.textContent = text;
    this.short.hidden = text === "";
    assign(this.shortFigure);
  }

  private take(asked: Asked): void {
    this.form.blame(null, "");
    this.last = asked;
    this.show();
    this.live.textContent = sentence(asked.answer);
    const { link } = asked.answer;
    this.address(link && link.length <= MOST_LINK ? `#${link}` : "");
    if (this.pinned) this.weigh();
    this.keep();
    this.pad();
  }

  /**
   * Puts the link of the current question into the address; without one a reload shows the draft.
   */
  private address(fragment: string): void {
    try {
      if (location.hash !== fragment)
        history.replaceState(null, "", fragment || location.pathname + location.search);
    } catch {
      // Safari allows a hundred changes in 30 seconds.
    }
  }

  /** Shows the current answer. */
  private show(): void {
    const answer = this.answer;
    if (!answer?.meta) return;
    if (answer.map) this.form.draw(answer.map);
    this.showShort(inShort(answer));
    assign(this.answerPlace);
    this.answerPlace.replaceChildren(
      h("p", { class: "question" }, answer.meta.question),
      tiles(answer) ?? "",
      charts(answer, this.chart) ?? "",
      ...pieces(answer.screen ?? [], answer.map ? 0 : 1),
      answer.picture ? this.legend(answer.picture) : "",
      h(
        "label",
        { class: "switch" },
        h("input", {
          type: "checkbox",
          role: "switch",
          checked: this.all,
          change: (event: Event) => {
            this.all = (event.target as HTMLInputElement).checked;
            void this.ask();
          },
        }),
        "every outcome",
      ),
      this.deeds(answer),
      h(
        "details",
        { class: "typed" },
        h("summary", {}, "command line"),
        scrolled("command line", h("pre", {}, answer.meta.command)),
        this.copier("Copy", () => answer.meta!.command),
      ),
    );
  }

  /** The picture of a file, which explains its signs; drawn when opened. */
  private legend(svg: string): HTMLElement {
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

  private deeds(answer: Answer): HTMLElement {
    return h(
      "div",
      { class: "deeds" },
      this.copier(
        "Copy link",
        () =>
          answer.link && answer.link.length <= MOST_LINK
            ? new URL(`#${answer.link}`, location.href).href
            : null,
        "It is too long for a link: save it instead.",
      ),
      answer.markdown ? this.copier("Copy Markdown", () => answer.markdown!) : null,
      answer.charts?.length || answer.picture
        ? button("Copy picture", () => void copyPicture(this.picture(), (text) => this.say(text)))
        : null,
      button("Compare", () => this.pin()),
      button("Tell me why", () => void tell(this.description, this.question, this.why)),
    );
  }

  private picture(): string {
    const { picture, charts } = this.answer ?? {};
    return picture ?? (charts?.find(({ kind }) => kind === this.chart.kind) ?? charts?.[0])?.svg ?? "";
  }

  private copier(name: string, text: () => string | null, instead = ""): HTMLButtonElement {
    const pressed = button(name, () => {
      const copied = text();
      if (copied === null) {
        this.say(instead);
        return;
      }
      navigator.clipboard.writeText(copied).then(
        () => this.say("Copied."),
        () => this.say("This browser does not let pages copy."),
      );
    });
    return pressed;
  }

  /** Shows a notice in view; a fault stays until the next change or until it is closed. */
  private say(text: string, isFault = false): void {
    const close = () => {
      this.notice.hidden = true;
    };
    clearTimeout(this.noticed);
    this.notice.replaceChildren(text, ...(isFault ? [" ", button("Close", close)] : []));
    this.notice.hidden = false;
    if (!isFault) this.noticed = window.setTimeout(close, 4000);
  }

  private async save(): Promise<void> {
    const { text } = request(this.question, this.beforehand());
    if (kindOf(this.description, this.question).tables) {
      const written = await beside.file(text);
      if ("file" in written)
        download(`${this.question.kind}.toml`, new Blob([written.file], { type: "application/toml" }));
      else this.say(faultText(written.fault), true);
      return;
    }
    download(
      `lowcrawl-${this.question.kind}.json`,
      new Blob([JSON.stringify(JSON.parse(text), null, 2), "\n"], { type: "application/json" }),
    );
  }

  private async open(input: HTMLInputElement): Promise<void> {
    const files = [...(input.files ?? [])];
    input.value = "";
    const opened = await open(files);
    if ("refused" in opened) this.say(opened.refused, true);
    else this.read(opened.text, opened.name);
  }

  /** Replaces the question by a request from elsewhere, if valid, and returns whether it was. */
  private read(text: string, from: string): boolean {
    let request: unknown;
    try {
      request = JSON.parse(text);
    } catch {
      this.say(`${from} holds no question.`, true);
      return false;
    }
    const fault = (request as { fault?: Fault }).fault;
    const question =
      typeof request === "object" && request !== null && !fault
        ? questionOf(this.description, request as Record<string, unknown>)
        : null;
    if (question) {
      this.notice.hidden = true;
      this.put(question);
    } else
      this.say(
        fault ? `${from}: ${faultText(fault)}.` : `${from} holds something that this page cannot ask.`,
        true,
      );
    return question !== null;
  }

  /** Shows the question of the link, or the draft that was on screen before a reload. */
  async start(): Promise<void> {
    const draft = kept.draft();
    if (await this.follow()) return;
    const question = draft && questionOf(this.description, draft);
    if (question) this.put(question);
  }

  /** Shows the question of the fragment, and returns whether there is one. */
  private async follow(): Promise<boolean> {
    const fragment = location.hash.slice(1);
    if (fragment === "") return false;
    let line = fragment;
    try {
      line = decodeURIComponent(fragment);
    } catch {
      // The fragment is used unchanged; the engine reports its fault.
    }
    if ([fragment, line].includes(this.answer?.link ?? "")) return true;
    if (line.length > MOST_LINK) {
      this.say(`The link is too long: at most ${MOST_LINK} characters are read.`, true);
      return false;
    }
    return this.read(JSON.stringify(await beside.follow(line)), "The link");
  }

  private showRecents(): void {
    const all = kept.recent();
    this.recents.hidden = all.length === 0;
    this.recents.replaceChildren(
      h("h2", {}, "Recent"),
      h(
        "ul",
        {},
        ...all.map(({ line, about }) =>
          h(
            "li",
            {},
            button(
              about,
              () => void beside.follow(line).then((found) => this.read(JSON.stringify(found), "It")),
              { class: "link" },
            ),
          ),
        ),
      ),
      button(
        "Clear",
        () => {
          kept.clear();
          this.showRecents();
        },
        { class: "quiet" },
      ),
    );
  }

  private pad(): void {
    if (!this.isBegun()) {
      this.given.replaceChildren();
      return;
    }
    const lay = (field: string, dice: string) => {
      if (dice) this.question.fields[field] = dice;
      else delete this.question.fields[field];
      this.form.show(this.question);
      this.changed();
    };
    void pad(this.description, this.question, this.given, lay, (text) => this.say(text));
  }

  private weigh(): void {
    if (!this.pinned || !this.last) return;
    void weigh(this.description, this.beside, this.pinned, this.last, () => {
      this.pinned = null;
      this.beside.hidden = true;
    });
  }

  /** Pins this question, to be shown beside the next one. */
  private pin(): void {
    if (!this.last) return;
    this.pinned = { ...this.last, question: structuredClone(this.question) };
    this.weigh();
    this.say("Now change something: both stand side by side.");
  }
}

const faultText = ({ message, help }: Fault): string => message + (help ? ` (${help})` : "");
const failureText = (error: unknown): string =>
  `The engine gave up: ${error instanceof Error ? error.message : String(error)}. Ask for fewer units or phases.`;

setGerman(kept.german());
engine.describe().then(
  async (description) => {
    const page = new Page(description);
    await page.start();
    document.documentElement.dataset.ready = "true";
    offline();
  },
  (error: unknown) => {
    document
      .getElementById("page")!
      .replaceChildren(h("p", { class: "notice" }, `This browser cannot run the engine: ${String(error)}`));
  },
);
