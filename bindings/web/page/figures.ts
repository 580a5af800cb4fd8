// Results and the question that they answer; results of other questions are hidden.

const ANSWERS = "data-answers";
/** The current question, as the text of its request. */
let current = "";

export const currentQuestion = (): string => current;

/** Assigns a part of the page to a question; it is visible only while that question is current. */
export function assign(part: Element, question = current): void {
  part.setAttribute(ANSWERS, question);
  part.classList.toggle("old", question !== current);
}

/** Properties by which a part is assigned to the current question each time it is rendered. */
export const mine = () => ({ ref: (part: Element | null): void => void (part && assign(part)) });

/** Returns whether a part answers the current question. */
export const isCurrent = (part: Element | null): boolean => part?.getAttribute(ANSWERS) === current;

/** Sets the current question, hides results of other questions, and shows its own again. */
export function setQuestion(question: string): void {
  current = question;
  for (const part of document.querySelectorAll(`[${ANSWERS}]`)) assign(part, part.getAttribute(ANSWERS)!);
}
