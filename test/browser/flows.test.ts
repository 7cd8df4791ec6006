import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import {
	createNote,
	GREETING,
	HANDBOOK,
	ingestFacts,
	OUT_OF_STOCK,
	runWorkflow,
	SIGN_UP,
	STEPS,
	STOCK,
	saveWorkflow,
	waitForRecords,
} from "./seed.ts";
import { browserWorld } from "./world.ts";

const SECRET = "ghp_never-to-be-seen-again";
/** Keys that the console may store in the browser. */
const ALLOWED_KEYS =
	/^tripline\.(?:access_token|theme|language|single_keys|workflow\.split|workflows\.sort|inputs\..+)$/;

describe("user flows", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	before(async () => {
		page = await world.page();
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button, heading, link, field, searchField, statusText, dialog, editor } = locators(() => page);
	const details = () => page.getByRole("region", { name: "Details" });
	/** A node of the graph; its accessible name is its state followed by its name. */
	const node = (name: string, state: string) =>
		page.getByRole("button", { name: new RegExp(`^${state} ${name}\\b`) });

	function place(): string {
		const { pathname, search } = new URL(page.url());
		return decodeURIComponent(pathname.slice("/console".length) + search);
	}

	async function readWorkflowText(workflow: string): Promise<string> {
		const path = `/gui/workflows/${encodeURIComponent(workflow)}`;
		return ((await world.api("GET", path)) as { text: string }).text;
	}

	async function replaceText(text: string): Promise<void> {
		await editor().click();
		await page.keyboard.press("Control+a");
		await page.keyboard.press("Delete");
		await page.keyboard.insertText(text);
	}

	test("creates and runs a first workflow", async () => {
		await open("");
		await link("Create a first workflow").click();
		await page.getByText("No problems").waitFor();
		await button("Save and run").click();
		await page.getByText(/^Succeeded in /).waitFor();
		await page.getByText("Hello Ada!").waitFor();
		await node("hello", "Succeeded").waitFor();
		assert.equal(place(), "/workflows/greet");
	});

	describe("with existing data", () => {
		before(async () => {
			for (const text of [GREETING, STOCK, STEPS]) await saveWorkflow(world, text);
			await waitForRecords(
				world,
				await runWorkflow(world, "check stock", { count: 3 }),
				await runWorkflow(world, "check stock", { count: 0 }),
				await runWorkflow(world, "greet", { name: "Ada" }),
			);
			await createNote(world, "Returns policy", "Customers may return goods within 30 days.");
			await createNote(world, "Shipping", "Orders before noon leave the same day.");
			await ingestFacts(world);
		});

		test("finds a failed run on the overview and shows it on the graph", async () => {
			await open("");
			await link(new RegExp(`check stock.*${OUT_OF_STOCK}`)).click();
			await heading("check stock").waitFor();
			await page.getByRole("term").filter({ hasText: "Failed node" }).waitFor();
			await link("Show on the graph").click();
			const panel = page.getByRole("region", { name: "refuse" });
			await panel.getByText(`Error: ${OUT_OF_STOCK} (line 1)`).waitFor();
			await node("refuse", "Failed").and(page.locator("[aria-pressed=true]")).waitFor();
			await node("fine", "Skipped").waitFor();
		});

		test("marks an error in the text and saves the corrected text", async () => {
			await open("/workflows/greet");
			await replaceText(GREETING.replace("component: template", "component: templat"));
			await page.getByText("1 error", { exact: true }).waitFor();
			await page.getByRole("button", { name: /^Error: .* unknown component "templat" .* 9:16$/ }).waitFor();
			await page.getByText("The text has errors. The graph shows the last valid version.").waitFor();
			// The marked range has no role or label, so it is found by class.
			await editor().locator(".cm-lintRange-error").getByText("templat").waitFor();
			await replaceText(GREETING.replace("Hello", "Good day"));
			await page.getByText("No problems").waitFor();
			await page.keyboard.press("Control+s");
			await statusText(/^Published as version \d+$/).waitFor();
			assert.equal(await readWorkflowText("greet"), GREETING.replace("Hello", "Good day"));
		});

		test("completes the name of a component", async () => {
			await open("/new-workflow");
			await replaceText(GREETING.replace(/component: template\n.*\n/, "component: templ"));
			// Wait for the diagnostics, which reduce the height of the editor.
			await page
				.getByText(/component "templ"/)
				.first()
				.waitFor();
			// A list opened by typing is reloaded and ignores clicks until then, so close it and open it explicitly.
			const option = page.getByRole("option", { name: /^template/ });
			await page.keyboard.press("Escape");
			await option.waitFor({ state: "detached" });
			await page.keyboard.press("Control+Space");
			await option.click();
			await editor().getByText("component: template").waitFor();
		});

		test("shows calls that fit the trigger, and how to connect a service", async () => {
			await saveWorkflow(world, SIGN_UP);
			await open("/workflows/sign up");
			await page.getByRole("tab", { name: "How to call" }).click();
			const shown = (name: string) => page.getByRole("region", { name, exact: true });
			await shown("JSON").getByText("curl -sS").waitFor();
			await page.getByRole("tab", { name: "Form", exact: true }).click();
			await shown("Form").getByText("--data-urlencode 'name=Ada'").waitFor();
			await page.keyboard.press("ArrowRight");
			await shown("HTML").getByText('<input type="email" name="mail">').waitFor();
			const form = link("Open form");
			assert.match((await form.getAttribute("href")) ?? "", /\/f\/default\/sign%20up$/);
			assert.match((await form.getAttribute("rel")) ?? "", /noopener/);
			const [opened] = await Promise.all([page.waitForEvent("popup"), form.click()]);
			await opened.getByRole("heading", { name: "Newsletter" }).waitFor();
			await opened.close();
			await open("/workflows/greet");
			await page.getByRole("tab", { name: "How to call" }).click();
			await page.getByRole("combobox", { name: "Service" }).selectOption("Slack");
			await shown("From Slack").getByText("handshake: slack").waitFor();
			await page.getByText("Signing Secret into the credential").waitFor();
		});

		test("shows the form of the text that is edited, and sends nothing from it", async () => {
			await open("/new-workflow");
			assert.equal(await page.getByRole("tab", { name: "Form preview" }).count(), 0);
			await replaceText(SIGN_UP);
			await page.getByRole("tab", { name: "Form preview" }).click();
			const form = page.frameLocator('iframe[title="Form preview"]');
			await form.getByRole("heading", { name: "Newsletter" }).waitFor();
			await form.getByRole("textbox", { name: "mail" }).waitFor();
			const width = await form.locator("main").evaluate((main: { clientWidth: number }) => main.clientWidth);
			assert.ok(width > 300 && width < 620, `the style sheet applies: ${width}`);
			await replaceText(SIGN_UP.replace("title: Newsletter", "title: <b>Join</b>"));
			await form.getByRole("heading", { name: "<b>Join</b>" }).waitFor();
			const frame = page.locator('iframe[title="Form preview"]');
			assert.equal(await frame.getAttribute("sandbox"), "allow-same-origin");
			await replaceText(SIGN_UP.replace("  form: { title: Newsletter }\n", ""));
			await page.getByText("The trigger has no form.").waitFor();
		});

		test("shows the progress of nodes during a run", async () => {
			await open("/workflows/steps");
			await button("Run").click();
			await node("second", "Running").waitFor();
			await node("first", "Succeeded").waitFor();
			await page.getByText("1 of 2 nodes finished").waitFor();
			await node("second", "Succeeded").waitFor();
			await page.getByText(/^Succeeded in /).waitFor();
		});

		test("shows an earlier run and its path on the graph", async () => {
			await open("/workflows/check stock");
			await page.getByRole("tab", { name: "Runs" }).click();
			const runs = page.getByRole("list", { name: "Latest runs" });
			await runs.getByRole("button", { name: /^Succeeded/ }).click();
			await node("fine", "Succeeded").waitFor();
			await node("refuse", "Skipped").waitFor();
			await button("Clear from the graph").click();
			await node("fine", "Succeeded").waitFor({ state: "detached" });
		});

		test("filters runs by status and text", async () => {
			await open("/executions");
			const rows = page.getByRole("region", { name: "Runs, newest first" }).getByRole("link");
			await rows.filter({ hasText: "greet" }).first().waitFor();
			await page.getByRole("combobox", { name: "Status" }).selectOption("Failed");
			await page.getByText("1 run", { exact: true }).waitFor();
			assert.match(await rows.innerText(), /check stock/);
			await searchField("Search name, error or target").fill("no such words");
			await page.getByText("No runs match").waitFor();
			assert.equal(place(), "/executions?verdict=failed&q=no+such+words");
			await button("Clear filters").click();
			await rows.filter({ hasText: "greet" }).first().waitFor();
		});

		test("runs a workflow again with a recent input", async () => {
			await open("/executions?workflow=greet");
			await link(/greet/).first().click();
			const runIt = dialog().getByRole("button", { name: "Run again", exact: true });
			const waitForResult = async (from: string) => {
				await page.waitForURL((url) => url.href !== from);
				await button("Show the data of hello").click();
				await dialog().getByText("Hello Grace!").first().waitFor();
				await page.keyboard.press("Escape");
			};
			await button("Run again").click();
			await dialog().getByRole("radio", { name: "Another input" }).check();
			await field("Input (JSON)").fill('{"name": "Grace"}');
			const first = page.url();
			await runIt.click();
			await waitForResult(first);
			await page.reload();
			await button("Run again").click();
			await dialog().getByRole("radio", { name: "Another input" }).check();
			await field("Input (JSON)").fill("");
			await dialog()
				.getByText(/^Recent inputs/)
				.click();
			await button('{"name":"Grace"}').click();
			assert.equal(await field("Input (JSON)").inputValue(), '{"name": "Grace"}');
			const second = page.url();
			await runIt.click();
			await waitForResult(second);
		});

		test("searches knowledge while typing and edits an entry", async () => {
			await open("/knowledge");
			await searchField("Search knowledge").pressSequentially("retu");
			const results = page.getByRole("list", { name: "Search results" });
			await results.getByRole("link", { name: /^Returns policy/ }).click();
			await button("Edit").click();
			await field("Content").fill("Within 60 days.");
			await button("Save").click();
			await statusText("Saved").waitFor();
			await page.getByRole("region", { name: "Content" }).getByText("Within 60 days.").waitFor();
		});

		test("explores the graph from a searched node", async () => {
			await open("/graph?depth=1");
			await page.getByRole("combobox", { name: "Find a node" }).fill("brass");
			await page.getByRole("option", { name: /^brass gear/ }).click();
			await page.getByText("2 nodes, 1 fact").waitFor();
			await details().getByRole("region", { name: "brass gear is part of …" }).getByRole("button").click();
			await details().getByRole("link", { name: HANDBOOK }).waitFor();
			await details().getByRole("button", { name: "clock kit" }).click();
			await button("Expand").click();
			await page.getByText("5 nodes, 4 facts").waitFor();
		});

		test("shows outdated facts with their replacements", async () => {
			await open("/graph?node=Taipei+workshop&depth=1");
			await details().getByRole("button", { name: "Grace" }).waitFor();
			assert.equal(await details().getByRole("button", { name: "Ada" }).count(), 0);
			await page.getByRole("switch", { name: "Include outdated facts" }).click();
			await details().getByRole("button", { name: "Ada outdated now Grace" }).click();
			await details().getByText("Replaced by Taipei workshop is run by Grace").waitFor();
		});

		test("adds a credential and keeps its value out of the browser", async () => {
			await open("/credentials");
			await button("Add credential").click();
			await searchField("Search by service, type or host").fill("github");
			await dialog()
				.getByRole("button", { name: /GitHub token/ })
				.click();
			await field("Name").fill("releases");
			await page.getByLabel("Token", { exact: true }).fill(SECRET);
			await button("Save").click();
			await statusText("Saved releases").waitFor();
			await page.getByRole("rowheader", { name: "releases" }).waitFor();
			const held = await page.evaluate(
				"document.documentElement.outerHTML + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])",
			);
			assert.ok(!String(held).includes(SECRET));
			assert.ok(!JSON.stringify(await world.api("GET", "/gui/credentials")).includes(SECRET));
		});

		test("inserts a component into a workflow without saving", async () => {
			await open("/components/wait");
			await button("Insert into a workflow").click();
			await dialog().getByRole("combobox", { name: "Workflow" }).selectOption("check stock");
			await dialog().getByRole("button", { name: "Insert into a workflow" }).click();
			await editor().getByText("refuse >> then >> wait").waitFor();
			await page.getByText(/^Draft saved /).waitFor();
			assert.equal(place(), "/workflows/check stock");
			assert.equal(await readWorkflowText("check stock"), STOCK);
			await button("Discard").click();
			await statusText("Draft discarded").waitFor();
		});

		test("shows permissions before installing a component from the market", async () => {
			await open("/components?in=market");
			const other = link(/^Batches of a list/);
			await other.waitFor();
			await searchField("Find a component").fill("holidays");
			await other.waitFor({ state: "detached" });
			await link(/^Public holidays/).click();
			await button("Install").click();
			await dialog().getByText("Can connect to").waitFor();
			await dialog().getByText("date.nager.at").waitFor();
			await dialog().getByRole("button", { name: "Install" }).click();
			await statusText("Installed Public holidays").waitFor();
			await link(/public_holidays/).waitFor();
		});

		test("verifies the connection", async () => {
			await open("/connect");
			await button("Verify").click();
			await page.getByText("All checks passed").waitFor();
			await page.getByRole("list", { name: "Checks" }).getByRole("listitem").first().waitFor();
		});

		test("rejects a revoked token", async () => {
			const token = await world.issueToken("Some assistant");
			await open("/connect");
			await button("Revoke the token of Some assistant").click();
			await dialog().getByRole("button", { name: "Revoke" }).click();
			await statusText("Token revoked").waitFor();
			assert.equal(await page.getByRole("cell", { name: "Some assistant", exact: true }).count(), 0);
			const headers = { authorization: `Bearer ${token}` };
			assert.equal((await fetch(new URL("/gui/session", world.url), { headers })).status, 401);
		});

		test("opens a workflow by keyboard only", async () => {
			await open("/settings");
			await heading("Settings").waitFor();
			await page.keyboard.press("Control+k");
			await page
				.getByRole("combobox", { name: "Search or run a command" })
				.and(page.locator(":focus"))
				.waitFor();
			await page.keyboard.type("stock");
			await page.getByRole("option", { name: /^check stock/, selected: true }).waitFor();
			await page.keyboard.press("Enter");
			await heading("check stock").waitFor();
			assert.equal(place(), "/workflows/check stock");
		});

		test("stores only preferences and inputs in the browser", async () => {
			const keys = (await page.evaluate("Object.keys(localStorage)")) as string[];
			assert.ok(keys.length > 0);
			assert.deepEqual(
				keys.filter((key) => !ALLOWED_KEYS.test(key)),
				[],
			);
		});

		test("keeps the selected language and theme", async () => {
			page = await world.page();
			await open("/settings");
			await page.getByRole("radio", { name: "Dark" }).check();
			await page.getByRole("radio", { name: "繁體中文" }).check();
			await heading("設定").waitFor();
			await page.reload();
			await heading("設定").waitFor();
			assert.equal(await page.evaluate("document.documentElement.lang"), "zh-Hant");
			assert.equal(await page.evaluate("document.documentElement.dataset.theme"), "dark");
		});

		test("opens the login page when the session expires", async () => {
			const token = await world.issueToken("This browser");
			page = await world.page({ isLoggedIn: false });
			await open("");
			await page.evaluate(`localStorage.setItem("tripline.access_token", JSON.stringify("${token}"))`);
			await open("/workflows");
			await link("greet").waitFor();
			const { tokens } = (await world.api("GET", "/gui/tokens")) as {
				tokens: { id: string; client_name: string }[];
			};
			const id = tokens.find(({ client_name }) => client_name === "This browser")?.id;
			await world.api("DELETE", `/gui/tokens/${id}`);
			await link("greet").click();
			await page.getByText("Your session has expired. Log in again.").waitFor();
			assert.equal(place(), "/workflows/greet");
			assert.equal(await page.evaluate("localStorage.length"), 0);
		});
	});
});
