import type { KeyboardEvent } from "react";

const ROW = ".entry-row";

export const focusFirstRow = (): void =>
	document.querySelector<HTMLElement>(`.knowledge-list ${ROW}`)?.focus();

/** The up and down keys move between rows, and from the first row back to the search field. */
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
