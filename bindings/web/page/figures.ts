// Figures and the question they answer: what answers another question than the one on screen is not seen.

const ANSWERS = "data-answers";
/** The question on screen, as the text of its request. */
let current = "";

export const currentQuestion = (): string => current;

/** Says which question a part of the page answers; it is seen only while that question is on screen. */
export function assign(part: Element, question = current): void {
  part.setAttribute(ANSWERS, question);
  part.classList.toggle("old", question !== current);
}

/** Returns whether a part answers the question on screen. */
export const isCurrent = (part: Element | null): boolean => part?.getAttribute(ANSWERS) === current;

/** Puts a question on screen: what answers another is hidden, what answers this one is seen again. */
export function setQuestion(question: string): void {
  current = question;
  for (const part of document.querySelectorAll(`[${ANSWERS}]`)) assign(part, part.getAttribute(ANSWERS)!);
}
