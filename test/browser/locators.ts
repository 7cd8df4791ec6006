import type { Locator, Page } from "playwright-core";

/** Locators for elements of the current page, by role and name. */
export const locators = (page: () => Page) => ({
	button: (name: string | RegExp) => page().getByRole("button", { name, exact: true }),
	heading: (name: string) => page().getByRole("heading", { name, exact: true }),
	link: (name: string | RegExp) => page().getByRole("link", { name }),
	field: (name: string) => page().getByRole("textbox", { name, exact: true }),
	searchField: (name: string) => page().getByRole("searchbox", { name, exact: true }),
	statusText: (text: string | RegExp) => page().getByRole("status").getByText(text),
	alert: () => page().getByRole("alert"),
	dialog: () => page().getByRole("dialog"),
	/** The editor of the open workflow. */
	editor: () => page().getByRole("textbox", { name: "Workflow text", exact: true }),
	waitForFocus: (locator: Locator) => locator.and(page().locator(":focus")).waitFor(),
});
