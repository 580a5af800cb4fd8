// Requests to the worker. A newer request cancels one that is still unanswered.
import * as carrier from "#carrier";
import type { Call } from "./worker";
import type { Answer, Description, Drawn, Fault } from "./types";

/** The time that a running request may still take after a newer one arrives, in milliseconds. */
const PATIENCE = 60;

type Progress = (done: number, expected: number | null) => void;
interface Waiting {
  call: Omit<Call, "number">;
  done: (text: string) => void;
  failed: (error: Error) => void;
  progress?: Progress | undefined;
}

/** The error of a request that was cancelled. */
export class GivenUp extends Error {}

/** The compiled module, which all engines share. */
const compiled = carrier.module();

export class Engine {
  private worker: Worker | null = null;
  private number = 0;
  private under: (Waiting & { number: number }) | null = null;
  private next: Waiting | null = null;
  private patience = 0;

  /** The description of all possible questions. */
  describe(): Promise<Description> {
    return this.other("describe", "");
  }

  /** The answer to a request, or its fault. */
  async ask(text: string, all: boolean, width: number, progress?: Progress): Promise<Answer> {
    return JSON.parse(await this.call({ call: "ask", text, all, width }, progress)) as Answer;
  }

  /** Converts a text: a link or a situation file to a request, or a request to a map or a file. */
  async other<T>(call: Call["call"], text: string): Promise<T> {
    return JSON.parse(await this.call({ call, text, all: false, width: 0 })) as T;
  }

  /** Cancels all requests. */
  stop(): void {
    this.next?.failed(new GivenUp());
    this.next = null;
    this.replace();
  }

  private call(call: Omit<Call, "number">, progress?: Progress): Promise<string> {
    return new Promise((done, failed) => {
      this.next?.failed(new GivenUp());
      this.next = { call, done, failed, progress };
      if (!this.under) void this.begin();
      else if (!this.patience) this.patience = window.setTimeout(() => this.replace(), PATIENCE);
    });
  }

  /** Cancels the running request by ending its worker; the next request starts a new worker. */
  private replace(): void {
    window.clearTimeout(this.patience);
    this.patience = 0;
    const under = this.under;
    this.under = null;
    if (under) {
      this.worker?.terminate();
      this.worker = null;
      under.failed(new GivenUp());
    }
    if (this.next) void this.begin();
  }

  private async begin(): Promise<void> {
    const waiting = this.next;
    if (!waiting || this.under) return;
    this.next = null;
    const number = ++this.number;
    this.under = { ...waiting, number };
    try {
      const worker = this.worker ?? (await this.start());
      // The request may have been cancelled in the meantime.
      if (this.under?.number === number) worker.postMessage({ ...waiting.call, number } satisfies Call);
    } catch (error) {
      this.under = null;
      waiting.failed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private async start(): Promise<Worker> {
    const module = await compiled;
    if (this.worker) return this.worker;
    const worker = carrier.worker();
    worker.postMessage({ module });
    worker.onmessage = ({ data }) => this.heard(worker, data);
    worker.onerror = (event) =>
      this.heard(worker, { number: this.under?.number ?? 0, failed: event.message });
    this.worker = worker;
    return worker;
  }

  private heard(
    worker: Worker,
    data: { number: number; text?: string; failed?: string; done?: number; expected?: number | null },
  ): void {
    const under = this.under;
    if (worker !== this.worker || !under || under.number !== data.number) return;
    if (data.done !== undefined) {
      under.progress?.(data.done, data.expected ?? null);
      return;
    }
    this.under = null;
    window.clearTimeout(this.patience);
    this.patience = 0;
    if (data.text !== undefined) under.done(data.text);
    else {
      // A worker that has failed once is replaced.
      worker.terminate();
      this.worker = null;
      under.failed(new Error(data.failed ?? "the engine gave no answer"));
    }
    if (this.next) void this.begin();
  }
}

/** An engine that answers all requests, one after another. */
export class Patient {
  private readonly engine = new Engine();
  private last: Promise<unknown> = Promise.resolve();

  ask = (text: string, all: boolean, width: number): Promise<Answer> =>
    this.after(() => this.engine.ask(text, all, width));
  follow = (link: string) => this.other<Record<string, unknown>>("follow", link);
  situation = (file: string) => this.other<Record<string, unknown>>("situation", file);
  lay = (request: string) => this.other<Drawn | { fault: Fault }>("lay", request);
  file = (request: string) => this.other<{ file: string } | { fault: Fault }>("file", request);

  private other<T>(call: Call["call"], text: string): Promise<T> {
    return this.after(() => this.engine.other<T>(call, text));
  }

  private after<T>(call: () => Promise<T>): Promise<T> {
    const next = this.last.then(call);
    this.last = next.catch(() => undefined);
    return next;
  }
}
