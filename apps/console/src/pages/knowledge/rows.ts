import type { KeyboardEvent } from "react";

const ROW = ".entry-row";

export const focusFirstRow = (): void =>
	document.querySelector<HTMLElement>(`.knowledge-list ${ROW}`)?.focus();

/** Up and down move between the rows of a list, and from the first back to the search. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
	const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
	const row = event.target instanceof HTMLElement ? event.target.closest("li") : null;
	if (step === 0 || row === null) return;
	event.preventDefault();
	const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
	const isFirst = step < 0 && next === null;
	const to = isFirst
		? document.querySelector<HTMLElement>(".knowledge-list input[type=search]")
		: next?.querySelector<HTMLElement>(ROW);
	to?.focus();
}
