/**
 * The control that a dialog begins with. A dialog that opens looks for the attribute, which React does not set; in one
 * that is open already the focus moves.
 */
export function firstOfDialog(element: HTMLElement | null): void {
	if (element === null) return;
	element.setAttribute("autofocus", "");
	if (element.closest("dialog")?.open === true) element.focus();
}
