import type { Locator, Page } from "playwright-core";
import { buildDescription, chooseDescription } from "./descriptions.ts";
import type { Seeded } from "./seed.ts";

/** A state of a page. It is opened in English. */
export interface State {
	/** Name of the screenshot. */
	readonly name: string;
	path(seeded: Seeded): string;
	/** An element that exists once the page is complete. */
	there(page: Page): Locator;
	/** Actions to reach the state. */
	act?(page: Page): Promise<void>;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const press = (page: Page, name: string) => button(page, name).click();
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const row = (page: Page, name: string) => page.getByRole("link", { name }).first();

/** Pages of an empty service. */
export const EMPTY: readonly State[] = [
	{
		name: "overview-empty",
		path: () => "/",
		there: (page) => row(page, "Create a first workflow"),
	},
	{
		name: "workflows-empty",
		path: () => "/workflows",
		there: (page) => page.getByText("No workflows yet"),
	},
	{
		name: "trash-empty",
		path: () => "/trash",
		there: (page) => page.getByText("The trash is empty"),
	},
	{
		name: "executions-empty",
		path: () => "/executions",
		there: (page) => page.getByText("No runs yet"),
	},
	{
		name: "inbox-empty",
		path: () => "/inbox",
		there: (page) => page.getByText("No open questions"),
	},
	{
		name: "files-empty",
		path: () => "/files",
		there: (page) => page.getByText("No files yet"),
	},
	{
		name: "knowledge-empty",
		path: () => "/knowledge",
		there: (page) => page.getByText("No entries yet"),
	},
	{
		name: "graph-empty",
		path: () => "/graph",
		there: (page) => page.getByText("No facts yet"),
	},
	{
		name: "memory-empty",
		path: () => "/memory",
		there: (page) => page.getByText("No agent remembers anything yet"),
	},
	{
		name: "credentials-empty",
		path: () => "/credentials",
		there: (page) => page.getByText("No credentials yet"),
	},
	{
		name: "connect-empty",
		path: () => "/connect",
		there: (page) => page.getByText("No tokens yet"),
	},
];

/** Every route, with data. */
export const PAGES: readonly State[] = [
	{ name: "overview", path: () => "/", there: (page) => row(page, "out of stock") },
	{ name: "workflows", path: () => "/workflows", there: (page) => row(page, "greet") },
	{
		name: "new-workflow",
		path: () => "/new-workflow?from=loop",
		there: (page) => page.getByRole("img", { name: /^orders .+ total$/ }),
	},
	{
		name: "workflow",
		path: () => "/workflows/count%20the%20orders%20of%20the%20day",
		there: (page) => page.getByRole("img", { name: /^orders .+ alarm$/ }),
	},
	{
		name: "trash",
		path: () => "/trash",
		there: (page) => page.getByRole("rowheader", { name: "old greeting", exact: true }),
	},
	{ name: "executions", path: () => "/executions", there: (page) => row(page, "check stock") },
	{
		name: "inbox",
		path: () => "/inbox",
		there: (page) => button(page, "Answer the question of approve invoice"),
	},
	{
		name: "files",
		path: () => "/files",
		there: (page) => page.getByRole("rowheader", { name: "orders.csv" }),
	},
	{
		name: "execution",
		path: ({ failedRun }) => `/executions/${failedRun}`,
		there: (page) => heading(page, "check stock"),
	},
	{ name: "knowledge", path: () => "/knowledge", there: (page) => row(page, "Returns policy") },
	{
		name: "entry",
		path: ({ entry }) => `/knowledge/${entry}`,
		there: (page) => heading(page, "Returns policy"),
	},
	{
		name: "graph",
		path: () => "/graph?node=Taipei+workshop&deprecated=1",
		there: (page) => heading(page, "Taipei workshop"),
	},
	{ name: "memory", path: () => "/memory", there: (page) => row(page, "ada@example.com") },
	{
		name: "conversation",
		path: () => "/memory/conversation?workflow=answer+customers&key=ada%40example.com",
		there: (page) => page.getByText("Order 3 is on its way."),
	},
	{ name: "components", path: () => "/components", there: (page) => row(page, "http_request") },
	{
		name: "component",
		path: () => "/components/http_request",
		there: (page) => page.getByText("http_request", { exact: true }),
	},
	{
		name: "market-component",
		path: () => "/registry/business_days",
		there: (page) => page.getByText("tripline", { exact: true }),
	},
	{ name: "recipes", path: () => "/recipes", there: (page) => row(page, "GitHub") },
	{
		name: "recipe",
		path: () => "/recipes/github",
		there: (page) => page.getByRole("listitem").filter({ hasText: "orders" }),
	},
	{
		name: "mcp-servers",
		path: () => "/mcp-servers",
		there: (page) => page.getByText("No MCP servers", { exact: true }),
	},
	{ name: "credentials", path: () => "/credentials", there: (page) => page.getByText("orders") },
	{
		name: "connect",
		path: () => "/connect",
		there: (page) => page.getByRole("cell", { name: "An assistant", exact: true }),
	},
	{ name: "settings", path: () => "/settings", there: (page) => page.getByText("0.0.0-test") },
];

/** Other states of pages: a selection, a dialog, or no results. */
export const MORE: readonly State[] = [
	{
		name: "overview-week",
		path: () => "/?range=week",
		there: (page) => row(page, "out of stock"),
	},
	{
		name: "workflows-none",
		path: () => "/workflows",
		act: (page) => page.getByRole("searchbox", { name: "Filter workflows" }).fill("no such"),
		there: (page) => button(page, "Show all"),
	},
	{
		name: "workflow-missing",
		path: () => "/workflows/nothing",
		there: (page) => button(page, "All workflows"),
	},
	{
		name: "workflow-failed-run",
		path: ({ failedRun }) => `/workflows/check%20stock?run=${failedRun}`,
		there: (page) => page.getByRole("region", { name: "refuse" }),
	},
	{
		name: "workflow-credential",
		path: () => "/workflows/repository%20issues",
		act: (page) => page.getByRole("button", { name: /^issues/ }).click(),
		there: (page) => button(page, "Connect: issues"),
	},
	{
		name: "workflow-call",
		path: () => "/workflows/greet",
		act: (page) => page.getByRole("tab", { name: "How to call" }).click(),
		there: (page) => heading(page, "Webhook"),
	},
	{
		name: "workflow-call-form",
		path: () => "/workflows/sign%20up",
		act: (page) => page.getByRole("tab", { name: "How to call" }).click(),
		there: (page) => row(page, "Open form"),
	},
	{
		name: "workflow-form-preview",
		path: () => "/workflows/sign%20up",
		act: (page) => page.getByRole("tab", { name: "Form preview" }).click(),
		there: (page) => page.frameLocator("iframe").getByRole("textbox", { name: "name" }),
	},
	{
		name: "workflow-call-signed",
		path: () => "/workflows/shop%20orders",
		act: (page) => page.getByRole("tab", { name: "How to call" }).click(),
		there: (page) => heading(page, "From Shopify"),
	},
	{
		name: "workflow-delete",
		path: () => "/workflows/greet",
		act: (page) => press(page, "Delete"),
		there: (page) => dialog(page, "Delete “greet”?"),
	},
	{
		name: "workflow-rename",
		path: () => "/workflows/greet",
		act: (page) => press(page, "Rename"),
		there: (page) => dialog(page, "Rename “greet”"),
	},
	{
		name: "workflow-versions",
		path: () => "/workflows/order%20report",
		act: (page) => page.getByRole("tab", { name: "Versions" }).click(),
		there: (page) => page.getByRole("button", { name: "Removed copy" }),
	},
	{
		name: "workflow-version-first",
		path: () => "/workflows/order%20report",
		act: async (page) => {
			await page.getByRole("tab", { name: "Versions" }).click();
			await page.getByRole("button", { name: /^Version 1/ }).click();
		},
		there: (page) => button(page, "Restore version 1"),
	},
	{
		name: "workflow-off",
		path: () => "/workflows/sign%20up",
		there: (page) => page.getByText("This workflow is off."),
	},
	{
		name: "workflow-draft",
		path: () => "/workflows/steps",
		there: (page) => page.getByText(/^Draft saved /),
	},
	{
		name: "workflow-conflict",
		path: () => "/workflows/steps",
		act: (page) => press(page, "Compare"),
		there: (page) => page.getByRole("dialog").getByRole("table"),
	},
	{
		name: "trash-purge",
		path: () => "/trash",
		act: (page) => press(page, "Delete old greeting permanently"),
		there: (page) => page.getByRole("dialog"),
	},
	{
		name: "workflow-run-files",
		path: () => "/workflows/attach",
		there: (page) => page.getByRole("group", { name: "Report" }),
	},
	{
		name: "inbox-answer",
		path: () => "/inbox",
		act: (page) => press(page, "Answer the question of approve invoice"),
		there: (page) => button(page, "Send answer"),
	},
	{
		name: "conversation-delete",
		path: () => "/memory/conversation?workflow=answer+customers&key=ada%40example.com",
		act: (page) => press(page, "Delete"),
		there: (page) => dialog(page, "Delete the conversation ada@example.com?"),
	},
	{
		name: "conversation-missing",
		path: () => "/memory/conversation?workflow=answer+customers&key=nobody",
		there: (page) => page.getByText("Conversation not found"),
	},
	{
		name: "files-kept",
		path: () => "/files?show=kept",
		there: (page) => page.getByText("No kept files"),
	},
	{
		name: "files-preview-text",
		path: () => "/files",
		act: (page) => press(page, "Preview orders.csv"),
		there: (page) => page.getByRole("dialog").getByText("gear,3"),
	},
	{
		name: "files-preview-image",
		path: () => "/files",
		act: (page) => press(page, "Preview photo.png"),
		there: (page) => page.getByRole("img", { name: "photo.png" }),
	},
	{
		name: "files-delete",
		path: () => "/files",
		act: (page) => press(page, "Delete orders.csv"),
		there: (page) => dialog(page, "Delete orders.csv?"),
	},
	{
		name: "executions-none",
		path: () => "/executions?q=nothing+has+this",
		there: (page) => page.getByText("No runs match"),
	},
	{
		name: "execution-missing",
		path: () => "/executions/01a1dfde-0000-7000-8000-000000000000",
		there: (page) => page.getByText("Run not found"),
	},
	{
		name: "executions-running",
		path: () => "/executions",
		there: (page) => button(page, "Cancel the run of import orders").first(),
	},
	{
		name: "execution-running",
		path: ({ longRun }) => `/executions/${longRun}`,
		there: (page) => page.getByRole("term").filter({ hasText: "Started" }),
	},
	{
		name: "execution-cancel",
		path: ({ longRun }) => `/executions/${longRun}`,
		act: (page) => press(page, "Cancel run"),
		there: (page) => page.getByRole("dialog"),
	},
	{
		name: "run-again",
		path: ({ failedRun }) => `/executions/${failedRun}`,
		act: async (page) => {
			await press(page, "Run again");
			await page.getByRole("radio", { name: "Another input" }).check();
		},
		there: (page) => dialog(page, "Run again").getByRole("textbox"),
	},
	{
		name: "run-again-refused",
		path: ({ failedRun }) => `/executions/${failedRun}`,
		act: async (page) => {
			await press(page, "Run again");
			await page.getByRole("radio", { name: /^At the failed node/ }).check();
			await dialog(page, "Run again").getByRole("button", { name: "Run again" }).click();
		},
		there: (page) => row(page, "Choose what is kept"),
	},
	{
		name: "run-node-data",
		path: ({ keptRun }) => `/executions/${keptRun}?node=big+label`,
		there: (page) => dialog(page, "big label").getByRole("tree", { name: "Gave" }),
	},
	{
		name: "run-node-elements",
		path: ({ keptRun }) => `/executions/${keptRun}?node=price`,
		there: (page) => dialog(page, "price").getByRole("combobox", { name: "Run of the node" }),
	},
	{
		name: "run-node-pinned",
		path: ({ keptRun }) => `/executions/${keptRun}?node=lines`,
		act: (page) => press(page, "Pin as test data"),
		there: (page) => dialog(page, "lines").getByText("Pinned: test runs of “price orders” take this output."),
	},
	{
		name: "workflow-pinned",
		path: () => "/workflows/price%20orders",
		act: (page) => page.getByRole("button", { name: /^Pinned lines/ }).click(),
		there: (page) => page.getByRole("region", { name: "Pinned outputs" }),
	},
	{
		name: "workflow-pinned-output",
		path: () => "/workflows/price%20orders",
		act: (page) =>
			page.getByRole("region", { name: "Pinned outputs" }).getByRole("button", { name: /^Show/ }).click(),
		there: (page) => dialog(page, "Pinned output of lines"),
	},
	{
		name: "run-compare",
		path: ({ keptRun }) => `/executions/${keptRun}`,
		act: (page) => press(page, "Compare runs"),
		there: (page) => dialog(page, "Compare runs").getByText("customer").first(),
	},
	{
		name: "run-data-delete",
		path: ({ keptRun }) => `/executions/${keptRun}`,
		act: (page) => press(page, "Delete this data"),
		there: (page) => dialog(page, "Delete the data of this run?"),
	},
	{
		name: "knowledge-search",
		path: () => "/knowledge?q=return",
		there: (page) => row(page, "Returns policy"),
	},
	{
		name: "knowledge-nothing-found",
		path: () => "/knowledge?q=zzzzqqqq",
		there: (page) => page.getByText("No results"),
	},
	{
		name: "knowledge-new",
		path: () => "/knowledge/new",
		there: (page) => button(page, "Create"),
	},
	{
		name: "entry-edit",
		path: ({ entry }) => `/knowledge/${entry}`,
		act: (page) => press(page, "Edit"),
		there: (page) => button(page, "Save"),
	},
	{
		name: "graph-start",
		path: () => "/graph",
		there: (page) => page.getByRole("link", { name: "clock kit" }),
	},
	{
		name: "graph-list",
		path: () => "/graph?node=clock+kit&view=list",
		there: (page) => heading(page, "clock kit"),
	},
	{
		name: "graph-fact",
		path: () => "/graph?node=Taipei+workshop",
		act: (page) => press(page, "Grace"),
		there: (page) => page.getByRole("link", { name: "https://example.com/handbook" }).first(),
	},
	{
		name: "graph-unknown",
		path: () => "/graph?node=nobody",
		there: (page) => page.getByText("No facts about “nobody”"),
	},
	{
		name: "market",
		path: () => "/components?in=market",
		there: (page) => row(page, "Batches of a list"),
	},
	{
		name: "component-insert",
		path: () => "/components/http_request",
		act: (page) => press(page, "Insert into a workflow"),
		there: (page) => page.getByRole("dialog").getByText("component: http_request"),
	},
	{
		name: "market-install",
		path: () => "/registry/public_holidays",
		act: (page) => press(page, "Install"),
		there: (page) => page.getByRole("dialog"),
	},
	{
		name: "recipes-category",
		path: () => "/recipes?category=email",
		there: (page) => row(page, "Gmail"),
	},
	{
		name: "recipes-none",
		path: () => "/recipes?q=no+such+service",
		there: (page) => button(page, "Show all"),
	},
	{
		name: "recipe-operation",
		path: () => "/recipes/github",
		act: (page) => page.getByText("List issues of a repository").first().click(),
		there: (page) => page.getByText("GET /repos/").first(),
	},
	{
		name: "recipe-try",
		path: () => "/recipes/github",
		act: async (page) => {
			await page.getByText("List issues of a repository").first().click();
			await press(page, "Try it");
		},
		there: (page) => dialog(page, "Try: List issues of a repository").getByLabel("owner"),
	},
	{
		name: "recipe-connect",
		path: () => "/recipes/github",
		act: (page) => press(page, "Connect: GitHub"),
		there: (page) => dialog(page, "Choose a credential type"),
	},
	{
		name: "recipe-new",
		path: () => "/new-recipe",
		there: (page) => button(page, "Add operation"),
	},
	{
		name: "recipe-edit",
		path: () => "/recipes/github/edit",
		act: (page) => page.getByText("List issues of a repository").first().click(),
		there: (page) => button(page, "Remove owner").first(),
	},
	{
		name: "recipe-edit-json",
		path: () => "/recipes/github/edit",
		act: (page) => page.getByRole("tab", { name: "JSON" }).click(),
		there: (page) => page.getByRole("textbox", { name: "The recipe as JSON" }),
	},
	{
		name: "recipe-missing",
		path: () => "/recipes/nothing",
		there: (page) => page.getByText("Recipe “nothing” not found"),
	},
	{
		name: "import-recipe",
		path: () => "/import-recipe",
		there: (page) => button(page, "List operations"),
	},
	{
		name: "import-operations",
		path: () => "/import-recipe",
		act: (page) => chooseDescription(page, buildDescription(40)),
		there: (page) => page.getByText("Read thing number 3"),
	},
	{
		name: "import-preview",
		path: () => "/import-recipe",
		act: async (page) => {
			await chooseDescription(page, buildDescription(4));
			await press(page, "Select those shown");
			await press(page, "Preview");
		},
		there: (page) => heading(page, "Preview of Shop API"),
	},
	{
		name: "credential-kinds",
		path: () => "/credentials?new=",
		there: (page) => dialog(page, "Choose a credential type"),
	},
	{
		name: "credential-form",
		path: () => "/credentials?new=s3_keys",
		act: (page) => press(page, "Save"),
		there: (page) => page.getByText("Required", { exact: true }).first(),
	},
	{
		name: "connect-verified",
		path: () => "/connect?client=claude-code",
		act: (page) => press(page, "Verify"),
		there: (page) => button(page, "Verify again"),
	},
	{
		name: "connect-revoke",
		path: () => "/connect",
		act: (page) => press(page, "Revoke the token of An assistant"),
		there: (page) => page.getByRole("dialog"),
	},
	{
		name: "palette",
		path: () => "/settings",
		act: async (page) => {
			await page.keyboard.press("Control+k");
			await page.getByRole("combobox", { name: "Search or run a command" }).fill("gre");
		},
		there: (page) => page.getByRole("option", { name: /^greet/ }),
	},
	{
		name: "shortcuts",
		path: () => "/",
		act: (page) => page.keyboard.press("?"),
		there: (page) => dialog(page, "Keyboard shortcuts"),
	},
	{
		name: "nowhere",
		path: () => "/nowhere/at/all",
		there: (page) => heading(page, "Page not found"),
	},
];
