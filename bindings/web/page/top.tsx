// The card on top: the number, and what can be done with it.
import { computed } from "@preact/signals";
import { mine } from "./figures";
import { change, isGerman } from "./format";
import { cardOf, type Card, type Figure } from "./card";
import { Helps } from "./compare";
import { Percent } from "./dom-part";
import * as store from "./store";

const card = computed<Card>(() =>
  cardOf(store.system.value, store.kind.value, store.question.value, {
    answer: store.answer.value,
    pinned: store.pinned.value,
    progress: store.progress.value,
    fault: store.fault.value?.message ?? null,
    isStopped: store.isStopped.value,
  }),
);

/** The course of a chance over the report points. */
function Curve({ values }: { values: number[] }) {
  const [wide, high] = [96, 24];
  const at = (place: number) => 2 + ((wide - 4) * place) / (values.length - 1);
  const points = values.map(
    (value, place) => `${at(place).toFixed(1)},${(high - 2 - (high - 4) * value).toFixed(1)}`,
  );
  return (
    <svg class="curve" viewBox={`0 0 ${wide} ${high}`} width={wide} height={high} aria-hidden="true">
      <path d={`M2,${high - 2}H${wide - 2}`} class="floor" />
      <polyline points={points.join(" ")} />
    </svg>
  );
}

const Also = ({ words, value }: Figure) => (
  <li>
    <Percent value={value} /> {words}
  </li>
);

function Told({ card }: { card: Card }) {
  switch (card.is) {
    case "number":
      return (
        <div
          class="told-now"
          data-pinned={card.before === null ? undefined : store.pinned.value?.text}
          {...mine()}
        >
          <p class="title">{card.title}</p>
          <div class="main">
            {card.before === null ? null : (
              <span class="from">
                A <Percent value={card.before} /> → B
              </span>
            )}
            <strong>
              <Percent value={card.main.value} />
            </strong>
            {card.before === null ? null : (
              <data class="change" value={String(card.main.value - card.before)}>
                {change(card.main.value - card.before)}
              </data>
            )}
            <p class="words">{card.main.words}</p>
          </div>
          <div class="main further">
            <ul class="also">
              {card.also.map((also) => (
                <Also key={also.words} {...also} />
              ))}
            </ul>
            {card.curve.length > 1 ? <Curve values={card.curve} /> : null}
          </div>
        </div>
      );
    case "words":
      return (
        <div class="told-now" {...mine()}>
          <p class="title">{card.title}</p>
          <p class="words plain">{card.words}</p>
        </div>
      );
    case "working":
      return (
        <div class="told-now" {...mine()}>
          <p class="words">{store.progress.value ? "Computing …" : ""}</p>
        </div>
      );
    default:
      return (
        <p class={card.is === "fault" ? "status bad" : "status"} {...mine()}>
          {card.words}
        </p>
      );
  }
}

/** How far a running question is, and the button that ends it. */
function Working() {
  const now = store.progress.value;
  const told = !now
    ? "Stop"
    : now.expected
      ? `Stop (${Math.floor((100 * now.done) / now.expected)} %)`
      : now.done
        ? `Stop (${now.done.toLocaleString(isGerman() ? "de" : "en")} states)`
        : "Stop";
  return (
    <div class="working" hidden={!now}>
      <progress
        class={now ? "bar busy" : "bar"}
        aria-label="progress"
        max={1}
        {...(now?.expected ? { value: Math.min(1, now.done / now.expected) } : {})}
      />
      <button type="button" class="stop" hidden={!now} onClick={store.stop} {...mine()}>
        {told}
      </button>
    </div>
  );
}

export function Top() {
  const isPinned = store.pinned.value !== null;
  const now = card.value;
  return (
    <section class={`card is-${now.is}`} aria-label="in short">
      <Told card={now} />
      {now.is === "number" || isPinned ? (
        <button type="button" class="pin" aria-pressed={isPinned} onClick={store.pin}>
          {isPinned ? "Unpin" : "Compare"}
        </button>
      ) : null}
      {now.is === "number" && !isPinned ? <Helps /> : null}
      <Working />
    </section>
  );
}
