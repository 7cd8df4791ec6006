const CONTROLS = ["a[href]", "button", "input", "select", "textarea", "summary", "[tabindex]"];
const FOCUSABLE = CONTROLS.map((each) => `${each}:not(:disabled, [tabindex="-1"])`).join(", ");

/**
 * Remembers a focus position and returns a function that restores it. If the element is gone, for example a deleted
 * row, the focus moves to the nearest sibling of it or of its ancestors.
 */
export function rememberFocus(element: Element | null): () => void {
	const near: (Element | null)[] = [element];
	for (let each = element; each !== null && each !== document.body; each = each.parentElement)
		near.push(each.nextElementSibling, each.previousElementSibling, each.parentElement);
	return () => near.some(focusFirst);
}

/** Focuses the first control in an element, or the element itself. Returns whether the focus moved. */
export function focusFirst(element: Element | null): boolean {
	if (element?.isConnected !== true) return false;
	const controls = element.matches(FOCUSABLE) ? [element] : [...element.querySelectorAll(FOCUSABLE)];
	// Without a control, an element with tabindex -1, such as the page's content, takes the focus.
	const target = controls.find((each) => each.checkVisibility()) ?? element;
	if (target instanceof HTMLElement) target.focus();
	return document.activeElement === target && target !== document.body;
}

/** After the next render, restores the focus unless another element already has it. */
export function focusUnlessHeld(place: () => void): void {
	setTimeout(() => {
		if (document.activeElement === null || document.activeElement === document.body) place();
	});
}

/** A ref callback that moves the focus into an element that replaced the pressed one. */
export const focusOnMount = (element: Element | null): void => {
	focusFirst(element);
};
