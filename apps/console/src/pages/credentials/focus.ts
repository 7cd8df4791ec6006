/**
 * A ref callback for the first control of a dialog. An opening dialog looks for the autofocus attribute, which React
 * does not set; in a dialog that is already open, the focus is moved.
 */
export function focusFirstControl(element: HTMLElement | null): void {
	if (element === null) return;
	element.setAttribute("autofocus", "");
	if (element.closest("dialog")?.open === true) element.focus();
}
