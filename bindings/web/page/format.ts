// Numbers in English or German notation. The engine writes English.

let comma = false;

export const isGerman = (): boolean => comma;
export const setGerman = (wanted: boolean): void => {
  comma = wanted;
};

/**
 * Localises percentages, means and errors in a text of the engine, but not rules (10.51) or
 * versions.
 */
export const localized = (text: string): string =>
  (comma
    ? text.replace(
        /(\d)\.(\d+)(?= %| of those|$)|(?<=\+- \d+)\.(?=\d)/g,
        (found, before?: string, after?: string) =>
          before === undefined ? found.replace(".", ",") : `${before},${after}`,
      )
    : text
  ).replace(/(\d) %/g, "$1\u00a0%");

/** A typed number with a comma or a point, normalised to a point. */
export const typed = (text: string): string => text.trim().replace(/^([+-]?\d*),(\d+)$/, "$1.$2");

/** A number with so many decimals, in the notation of the reader. */
const number = (value: number, digits: number): string =>
  value.toLocaleString(comma ? "de" : "en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });

export function percent(share: number, digits = 2): string {
  const least = 10 ** -digits;
  const is = (text: string) => `${text}\u00a0%`;
  if (share > 0 && 100 * share < 0.5 * least) return is(`<\u00a0${number(least, digits)}`);
  if (digits === 0 && share < 1 && 100 * share > 100 - 0.5 * least) return is(`>\u00a099`);
  return is(number(100 * share, digits));
}

/** A difference in percentage points, as a whole number. */
export function change(difference: number): string {
  const rounded = Math.round(100 * difference);
  if (rounded === 0) return difference === 0 ? "±0" : difference > 0 ? "< +1" : "> −1";
  return `${rounded < 0 ? "−" : "+"}${number(Math.abs(rounded), 0)}`;
}

/** A bound of the error of a chance, rounded up to a power of ten: `certain to 0.0001 points`. */
export function certainTo(bound: number): string {
  const fits = (digits: number) => digits < 17 && 0.1 ** (digits + 1) >= 100 * bound;
  let digits = 0;
  while (fits(digits)) digits += 1;
  const least = (10 ** -digits).toFixed(digits);
  return `certain to ${comma ? least.replace(".", ",") : least} points`;
}

export function points(difference: number): string {
  const sign = difference < 0 ? "−" : "+";
  return `${localized(sign + Math.abs(100 * difference).toFixed(2))} points`;
}
