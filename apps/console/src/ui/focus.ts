const CONTROLS = ["a[href]", "button", "input", "select", "textarea", "summary", "[tabindex]"];
const REACHED = CONTROLS.map((each) => `${each}:not(:disabled, [tabindex="-1"])`).join(", ");

/**
 * Where one goes on who was at an element. It may be gone by then, as a row that was deleted: then what stood beside it,
 * or beside what it was in, the nearest first.
 */
export function placeOf(element: Element | null): () => void {
	const near: (Element | null)[] = [element];
	for (let each = element; each !== null && each !== document.body; each = each.parentElement)
		near.push(each.nextElementSibling, each.previousElementSibling, each.parentElement);
	return () => near.some(focusFirst);
}

/** The first control of an element, or itself; gives whether one took the focus. */
export function focusFirst(element: Element | null): boolean {
	if (element?.isConnected !== true) return false;
	const controls = element.matches(REACHED) ? [element] : [...element.querySelectorAll(REACHED)];
	// What is focused by programs only, as the page's content is, takes it where there is nothing else.
	const target = controls.find((each) => each.checkVisibility()) ?? element;
	if (target instanceof HTMLElement) target.focus();
	return document.activeElement === target && target !== document.body;
}

/** Once what is being drawn is drawn: goes there unless the focus has found a place by itself. */
export function focusUnlessHeld(place: () => void): void {
	setTimeout(() => {
		if (document.activeElement === null || document.activeElement === document.body) place();
	});
}

/** As a ref: one goes on in what has appeared in the place of what was pressed. */
export const appeared = (element: Element | null): void => {
	focusFirst(element);
};
