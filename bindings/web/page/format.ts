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

export function percent(share: number, digits = 2): string {
  if (share > 0 && share < 0.5 * 10 ** -(digits + 2))
    return localized(`< ${(10 ** -digits).toFixed(digits)} %`);
  return localized(`${(100 * share).toFixed(digits)} %`);
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
