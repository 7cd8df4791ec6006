import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import {
	factsIngested,
	GREETING,
	HANDBOOK,
	noted,
	OUT_OF_STOCK,
	ran,
	recorded,
	STEPS,
	STOCK,
	saved,
} from "./seed.ts";
import { browserWorld } from "./world.ts";

const SECRET = "ghp_never-to-be-seen-again";
/** What the console may keep in the browser. */
const KEPT =
	/^tripline\.(?:access_token|theme|language|single_keys|workflow\.split|workflows\.sort|inputs\..+)$/;

describe("what people do", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	before(async () => {
		page = await world.page();
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button, heading, link, field, found, said, dialog, editor } = locators(() => page);
	const details = () => page.getByRole("region", { name: "Details" });
	/** On the graph; its name stands after the word for its state. */
	const node = (name: string, state: string) =>
		page.getByRole("button", { name: new RegExp(`^${state} ${name}\\b`) });

	function place(): string {
		const { pathname, search } = new URL(page.url());
		return decodeURIComponent(pathname.slice("/console".length) + search);
	}

	async function textOf(workflow: string): Promise<string> {
		const path = `/gui/workflows/${encodeURIComponent(workflow)}`;
		return ((await world.api("GET", path)) as { text: string }).text;
	}

	async function written(text: string): Promise<void> {
		await editor().click();
		await page.keyboard.press("Control+a");
		await page.keyboard.press("Delete");
		await page.keyboard.insertText(text);
	}

	test("the first workflow: from nothing to a green run", async () => {
		await open("");
		await link("Create a first workflow").click();
		await page.getByText("No problems").waitFor();
		await button("Save and run").click();
		await page.getByText(/^Succeeded in /).waitFor();
		await page.getByText("Hello Ada!").waitFor();
		await node("hello", "Succeeded").waitFor();
		assert.equal(place(), "/workflows/greet");
	});

	describe("with a service that is used", () => {
		before(async () => {
			for (const text of [GREETING, STOCK, STEPS]) await saved(world, text);
			await recorded(
				world,
				await ran(world, "check stock", { count: 3 }),
				await ran(world, "check stock", { count: 0 }),
				await ran(world, "greet", { name: "Ada" }),
			);
			await noted(world, "Returns policy", "Customers may return goods within 30 days.");
			await noted(world, "Shipping", "Orders before noon leave the same day.");
			await factsIngested(world);
		});

		test("a run that failed is found on the overview, and understood on the graph", async () => {
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

		test("a mistake is marked where it is, and what is mended is saved", async () => {
			await open("/workflows/greet");
			await written(GREETING.replace("component: template", "component: templat"));
			await page.getByText("1 error", { exact: true }).waitFor();
			await page.getByRole("button", { name: /^Error: .* unknown component "templat" .* 9:16$/ }).waitFor();
			await page.getByText("The text has errors. The graph shows the last valid version.").waitFor();
			// Nothing else names what is marked in the text.
			await editor().locator(".cm-lintRange-error").getByText("templat").waitFor();
			await written(GREETING.replace("Hello", "Good day"));
			await page.getByText("No problems").waitFor();
			await page.keyboard.press("Control+s");
			await said("Saved “greet”").waitFor();
			assert.equal(await textOf("greet"), GREETING.replace("Hello", "Good day"));
		});

		test("the editor completes the name of a component", async () => {
			await open("/new-workflow");
			await written(GREETING.replace(/component: template\n.*\n/, "component: templ"));
			// What is found wrong comes below the text, which then has less room.
			await page
				.getByText(/component "templ"/)
				.first()
				.waitFor();
			// A list that typing has opened is asked for anew, and is deaf until the answer is there.
			const option = page.getByRole("option", { name: /^template/ });
			await page.keyboard.press("Escape");
			await option.waitFor({ state: "detached" });
			await page.keyboard.press("Control+Space");
			await option.click();
			await editor().getByText("component: template").waitFor();
		});

		test("nodes light up while they run", async () => {
			await open("/workflows/steps");
			await button("Run").click();
			await node("second", "Running").waitFor();
			await node("first", "Succeeded").waitFor();
			await page.getByText("1 of 2 nodes finished").waitFor();
			await node("second", "Succeeded").waitFor();
			await page.getByText(/^Succeeded in /).waitFor();
		});

		test("an earlier run is shown on the graph, with the way that it took", async () => {
			await open("/workflows/check stock");
			await page.getByRole("tab", { name: "Runs" }).click();
			const runs = page.getByRole("list", { name: "Latest runs" });
			await runs.getByRole("button", { name: /^Succeeded/ }).click();
			await node("fine", "Succeeded").waitFor();
			await node("refuse", "Skipped").waitFor();
			await button("Clear from the graph").click();
			await node("fine", "Succeeded").waitFor({ state: "detached" });
		});

		test("executions are filtered by verdict and by text", async () => {
			await open("/executions");
			const rows = page.getByRole("region", { name: "Runs, newest first" }).getByRole("link");
			await rows.filter({ hasText: "greet" }).first().waitFor();
			await page.getByRole("combobox", { name: "Status" }).selectOption("Failed");
			await page.getByText("1 run", { exact: true }).waitFor();
			assert.match(await rows.innerText(), /check stock/);
			await found("Search name, error or target").fill("no such words");
			await page.getByText("No runs match").waitFor();
			assert.equal(place(), "/executions?verdict=failed&q=no+such+words");
			await button("Clear filters").click();
			await rows.filter({ hasText: "greet" }).first().waitFor();
		});

		test("what was run once is run again with the input last typed", async () => {
			await open("/executions?workflow=greet");
			await link(/greet/).first().click();
			await field("Input (JSON)").fill('{"name": "Grace"}');
			await button("Run").click();
			await page.getByText(/\bGrace!/).waitFor();
			await page.reload();
			await page.getByText(/^Recent inputs/).click();
			await button('{"name":"Grace"}').click();
			assert.equal(await field("Input (JSON)").inputValue(), '{"name": "Grace"}');
			await button("Run").click();
			await page.getByText(/\bGrace!/).waitFor();
		});

		test("knowledge is found while it is typed, and changed", async () => {
			await open("/knowledge");
			await found("Search knowledge").pressSequentially("retu");
			const results = page.getByRole("list", { name: "Search results" });
			await results.getByRole("link", { name: /^Returns policy/ }).click();
			await button("Edit").click();
			await field("Content").fill("Within 60 days.");
			await button("Save").click();
			await said("Saved").waitFor();
			await page.getByRole("region", { name: "Content" }).getByText("Within 60 days.").waitFor();
		});

		test("the graph is explored from a node that is looked for", async () => {
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

		test("what is no longer said is shown with what replaced it", async () => {
			await open("/graph?node=Taipei+workshop&depth=1");
			await details().getByRole("button", { name: "Grace" }).waitFor();
			assert.equal(await details().getByRole("button", { name: "Ada" }).count(), 0);
			await page.getByRole("switch", { name: "Include outdated facts" }).click();
			await details().getByRole("button", { name: "Ada outdated now Grace" }).click();
			await details().getByText("Replaced by Taipei workshop is run by Grace").waitFor();
		});

		test("a credential goes in by the form of its kind, and its value stays nowhere in the browser", async () => {
			await open("/credentials");
			await button("Add credential").click();
			await found("Search by service, type or host").fill("github");
			await dialog()
				.getByRole("button", { name: /GitHub/ })
				.first()
				.click();
			await field("Name").fill("releases");
			await page.getByLabel("Token", { exact: true }).fill(SECRET);
			await button("Save").click();
			await said("Saved releases").waitFor();
			await page.getByRole("rowheader", { name: "releases" }).waitFor();
			const held = await page.evaluate(
				"document.documentElement.outerHTML + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])",
			);
			assert.ok(!String(held).includes(SECRET));
			assert.ok(!JSON.stringify(await world.api("GET", "/gui/credentials")).includes(SECRET));
		});

		test("a component is put into a workflow, and saved when its author says so", async () => {
			await open("/components/wait");
			await button("Insert into a workflow").click();
			await dialog().getByRole("combobox", { name: "Workflow" }).selectOption("check stock");
			await dialog().getByRole("button", { name: "Insert into a workflow" }).click();
			await editor().getByText("refuse >> then >> wait").waitFor();
			await page.getByText("Unsaved changes", { exact: true }).waitFor();
			assert.equal(place(), "/workflows/check stock");
			assert.equal(await textOf("check stock"), STOCK);
			await button("Discard changes").click();
		});

		test("a component of the market is installed once one has read what it may do", async () => {
			await open("/components?in=market");
			await found("Find a component").fill("holidays");
			await link(/^Public holidays/).click();
			await button("Install").click();
			await dialog().getByText("Can connect to").waitFor();
			await dialog().getByText("date.nager.at").waitFor();
			await dialog().getByRole("button", { name: "Install" }).click();
			await said("Installed Public holidays").waitFor();
			await link(/public_holidays/).waitFor();
		});

		test("the connection is verified", async () => {
			await open("/connect");
			await button("Verify").click();
			await page.getByText("All checks passed").waitFor();
			await page.getByRole("list", { name: "Checks" }).getByRole("listitem").first().waitFor();
		});

		test("a token that is revoked is refused", async () => {
			const token = await world.issuedToken("Some assistant");
			await open("/connect");
			await button("Revoke the token of Some assistant").click();
			await dialog().getByRole("button", { name: "Revoke" }).click();
			await said("Token revoked").waitFor();
			assert.equal(await page.getByRole("cell", { name: "Some assistant", exact: true }).count(), 0);
			const headers = { authorization: `Bearer ${token}` };
			assert.equal((await fetch(new URL("/gui/session", world.url), { headers })).status, 401);
		});

		test("a workflow is opened by the keyboard alone", async () => {
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

		test("nothing but choices and inputs is kept in the browser", async () => {
			const keys = (await page.evaluate("Object.keys(localStorage)")) as string[];
			assert.ok(keys.length > 0);
			assert.deepEqual(
				keys.filter((key) => !KEPT.test(key)),
				[],
			);
		});

		test("language and theme stay as they were chosen", async () => {
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

		test("access that ends while it is used leads to the login", async () => {
			const token = await world.issuedToken("This browser");
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
