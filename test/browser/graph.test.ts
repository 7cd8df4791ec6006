import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import { HANDBOOK, ingestVersion, type Statement } from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const PARTS = 250;

/** Several hundred nodes: a workshop, its parts, who runs it, and where it is. */
const FACTS: readonly Statement[] = [
	["workshop", "is run by", "Ada"],
	["workshop", "is in", "Taipei"],
	["Taipei", "is in", "Taiwan"],
	["Taiwan", "is in", "Asia"],
	["Asia", "is on", "Earth"],
	["alone", "knows", "nobody else"],
	...Array.from({ length: PARTS }, (_, nth): Statement => [`part ${nth}`, "belongs to", "workshop"]),
	...Array.from({ length: PARTS }, (_, nth): Statement => [`part ${nth}`, "is made of", `metal ${nth % 5}`]),
];

interface Walk {
	readonly nodes: readonly object[];
	readonly triplets: readonly object[];
}

/** Replaces the facts of a traversal by many similar ones. */
const withManyFacts = (walk: Walk, count: number): Walk => ({
	...walk,
	triplets: Array.from({ length: count }, (_, nth) => ({
		...walk.triplets[0],
		id: `more ${nth}`,
		subject: `node ${nth}`,
		object: nth === 0 ? "Earth" : `node ${nth >> 2}`,
	})),
});

describe("knowledge graph", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	before(async () => {
		page = await world.page();
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button } = locators(() => page);
	const panel = () => page.getByRole("region", { name: "Details" });
	const chosen = (name: string) => panel().getByRole("heading", { name, exact: true, level: 2 });
	const countLabel = (text: string) => page.getByText(text, { exact: true });
	const canvas = () => page.getByRole("application");
	const list = () => page.getByRole("region", { name: "Facts on screen" });
	const row = (text: string) => list().getByRole("listitem").filter({ hasText: text });
	const waitForLayout = () => button("Run the layout").waitFor();

	function readQuery(): URLSearchParams {
		return new URL(page.url()).searchParams;
	}

	test("explains how to add facts if there are none", async () => {
		await open("/graph");
		await page.getByText("No facts yet").waitFor();
		await page.getByRole("link", { name: "Connect an assistant" }).waitFor();
	});

	describe("with facts", () => {
		before(async () => {
			await ingestVersion(world, FACTS, "version 1");
			await ingestVersion(world, [["workshop", "is run by", "Grace"]], "version 2");
		});

		test("opens a searched node by keyboard only", async () => {
			await open("/graph");
			const search = page.getByRole("combobox", { name: "Find a node" });
			await search.pressSequentially("taiw");
			await page.getByRole("option", { name: /^Taiwan/ }).waitFor();
			await page.keyboard.press("ArrowDown");
			await page.keyboard.press("Enter");
			await chosen("Taiwan").waitFor();
			assert.equal(readQuery().get("node"), "Taiwan");
			await panel().getByText("What Taiwan means here").waitFor();
			await assertAccessible(page, { within: "main" });
		});

		test("shows the selected number of steps", async () => {
			await open("/graph?node=Earth");
			await countLabel("3 nodes, 2 facts").waitFor();
			const steps = page.getByRole("combobox", { name: "Steps" });
			// Repeated, because a view removed while its layout runs must not cause errors.
			for (let round = 0; round < 4; round++) {
				await steps.selectOption("1 step");
				await countLabel("2 nodes, 1 fact").waitFor();
				assert.equal(readQuery().get("depth"), "1");
				await steps.selectOption("2 steps");
				await countLabel("3 nodes, 2 facts").waitFor();
			}
		});

		test("expands a node", async () => {
			await open("/graph?node=Earth&depth=1&view=list");
			await row("is on").getByRole("button", { name: "Asia", exact: true }).click();
			await panel().getByText("These are the facts on screen.").waitFor();
			await button("Expand").click();
			await countLabel("3 nodes, 2 facts").waitFor();
			await row("Taiwan").waitFor();
			await button("Expand").waitFor({ state: "detached" });
			await row("Taiwan").getByRole("button", { name: "Taiwan", exact: true }).click();
			await chosen("Taiwan").waitFor();
			await page.getByRole("link", { name: "Start here" }).click();
			await countLabel("4 nodes, 3 facts").waitFor({ state: "detached" });
			assert.equal(readQuery().get("node"), "Taiwan");
		});

		test("shows a loading error and keeps the loaded facts", async () => {
			await open("/graph?node=Earth&depth=1&view=list");
			await row("is on").getByRole("button", { name: "Asia", exact: true }).click();
			await page.route("**/gui/graph/traverse**", (route) =>
				route.fulfill({ status: 503, json: { error: "the store does not answer" } }),
			);
			await button("Expand").click();
			await page.getByRole("alert").filter({ hasText: "the store does not answer" }).waitFor();
			await row("is on").waitFor();
			await page.unroute("**/gui/graph/traverse**");
			await button("Try again").click();
			await countLabel("3 nodes, 2 facts").waitFor();
			await page.getByRole("alert").waitFor({ state: "detached" });
		});

		test("loads more facts on request", async () => {
			await open("/graph?node=workshop&depth=1");
			await page.getByText("Showing the nearest 200 facts; there are more.").waitFor();
			await button("Show more").click();
			await countLabel(`${PARTS + 3} nodes, ${PARTS + 2} facts`).waitFor();
			await panel().getByRole("button", { name: "220 more" }).waitFor();
			await waitForLayout();
		});

		test("filters by predicate and keeps the filter in the address", async () => {
			await open("/graph?node=metal%203");
			await button(/^is made of 50$/).click();
			await countLabel("51 nodes, 50 facts").waitFor();
			assert.equal(readQuery().get("predicate"), "is made of");
			await page.reload();
			await countLabel("51 nodes, 50 facts").waitFor();
			assert.equal(await button(/^is made of 50$/).getAttribute("aria-pressed"), "true");
			await button("All").click();
			await countLabel("52 nodes, 100 facts").waitFor();
			assert.equal(readQuery().get("predicate"), null);
		});

		test("shows outdated facts and their replacements", async () => {
			await open("/graph?node=workshop&depth=1&view=list&predicate=is+run+by");
			await countLabel("2 nodes, 1 fact").waitFor();
			await page.getByRole("switch", { name: "Include outdated facts" }).check();
			await countLabel("3 nodes, 2 facts").waitFor();
			const old = row("Ada");
			await old.getByText("outdated", { exact: true }).waitFor();
			await panel()
				.getByRole("button", { name: /^Ada outdated now Grace$/ })
				.waitFor();
			const [faded, plain] = (await list().evaluate(
				"['Ada', 'Grace'].map((name) => getComputedStyle([...document.querySelectorAll('.fact-list button')].find((each) => each.textContent === name)).color)",
			)) as [string, string];
			assert.notEqual(faded, plain);
			await assertAccessible(page, { within: "main" });
			await old.getByRole("button", { name: /^is run by/ }).click();
			await panel().getByText("outdated", { exact: true }).waitFor();
			await panel().getByText("No source currently states this fact.").waitFor();
			await panel().getByText("Replaced by workshop is run by Grace").waitFor();
			await page.getByRole("switch", { name: "Include outdated facts" }).uncheck();
			await countLabel("2 nodes, 1 fact").waitFor();
		});

		test("shows the sources of a fact and the facts it replaced", async () => {
			await open("/graph?node=workshop&depth=1&predicate=is+run+by");
			await panel().getByRole("button", { name: "Grace", exact: true }).click();
			await panel().getByText("Stated by 1 source").waitFor();
			const source = panel().getByRole("link", { name: HANDBOOK }).first();
			assert.equal(await source.getAttribute("href"), HANDBOOK);
			await panel().getByText("workshop is run by", { exact: true }).first().waitFor();
			await panel().getByText("Confidence 90%").first().waitFor();
			await panel().getByRole("heading", { name: "Replaced facts" }).waitFor();
			await panel().getByText("workshop is run by Ada", { exact: true }).waitFor();
			await button("Back").click();
			await chosen("workshop").waitFor();
		});

		test("selects a fact by its line", async () => {
			await open("/graph?node=alone");
			await countLabel("2 nodes, 1 fact").waitFor();
			await waitForLayout();
			const box = await canvas().boundingBox();
			assert.ok(box !== null);
			// Two nodes are laid out across the whole canvas, so its centre is on their line.
			await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
			await panel().getByText("Stated by 1 source").waitFor();
		});

		test("hovers, selects and expands a node by mouse", async () => {
			await open("/graph?node=Earth&depth=1");
			await waitForLayout();
			await canvas().focus();
			await page.keyboard.press("Escape");
			// Zoom in until no node is in view, so that the next selected node is centred.
			for (let turn = 0; turn < 6; turn++) await button("Zoom in").click();
			await canvas().focus();
			for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"])
				if (!(await chosen("Asia").isVisible())) await page.keyboard.press(key);
			await chosen("Asia").waitFor();
			await page.keyboard.press("Escape");
			await chosen("Asia").waitFor({ state: "detached" });
			const box = await canvas().boundingBox();
			assert.ok(box !== null);
			const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
			// The camera moves for a quarter of a second.
			await page.waitForTimeout(500);
			await page.mouse.click(x, y);
			await chosen("Asia").waitFor();
			await page.locator(".kg-frame.pointing").waitFor();
			await page.mouse.dblclick(x, y);
			await countLabel("3 nodes, 2 facts").waitFor();
		});

		test("moves between nodes on the canvas by keyboard", async () => {
			await open("/graph?node=Earth&depth=1");
			await waitForLayout();
			await canvas().focus();
			const said = panel().locator("[aria-live]");
			assert.equal(await said.innerText(), "Earth, 1 fact on screen");
			// The other node is in one of the four directions.
			for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"])
				if (!(await chosen("Asia").isVisible())) await page.keyboard.press(key);
			await chosen("Asia").waitFor();
			assert.equal(await said.innerText(), "Asia, 1 fact on screen");
			await page.keyboard.press("Enter");
			await countLabel("3 nodes, 2 facts").waitFor();
			await page.keyboard.press("Escape");
			await panel().getByText("Select a node to see its facts.").waitFor();
		});

		test("pauses and resumes the layout", async () => {
			// A layout that takes a while.
			const json = withManyFacts((await world.api("GET", "/gui/graph/traverse?name=Earth")) as Walk, 2500);
			await page.route("**/gui/graph/traverse**", (route) => route.fulfill({ json }));
			await open("/graph?node=Earth");
			await button("Pause the layout").click();
			await button("Run the layout").click();
			await button("Pause the layout").click();
			await waitForLayout();
			await page.unroute("**/gui/graph/traverse**");
		});

		test("redraws after the WebGL context was lost", async () => {
			await open("/graph?node=Earth&depth=1");
			await waitForLayout();
			const drawn = page.locator("canvas.sigma-nodes");
			const before = await drawn.elementHandle();
			await page.evaluate(
				'document.querySelector("canvas.sigma-nodes").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext()',
			);
			await before?.waitForElementState("hidden");
			await drawn.waitFor();
			await waitForLayout();
			await canvas().focus();
			await page.keyboard.press("Escape");
			await panel().getByText("Select a node to see its facts.").waitFor();
		});

		test("shows a list and a message without WebGL", async () => {
			const plain = await world.page();
			await plain.addInitScript(`{
				const { getContext } = HTMLCanvasElement.prototype;
				HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
					return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...more);
				};
			}`);
			await plain.goto(`${world.url}/graph?node=Earth&depth=1`);
			await plain.getByText(/^This browser cannot draw the graph/).waitFor();
			assert.equal(await plain.getByRole("application").count(), 0);
			assert.equal(await plain.getByRole("group", { name: "View" }).count(), 0);
			const facts = plain.getByRole("region", { name: "Facts on screen" });
			await facts.getByRole("button", { name: "Asia", exact: true }).focus();
			await plain.keyboard.press("Enter");
			await plain.getByRole("heading", { name: "Asia", exact: true }).waitFor();
			await plain.getByRole("button", { name: "Expand" }).click();
			await facts.getByRole("button", { name: "Taiwan", exact: true }).waitFor();
			await facts.getByRole("button", { name: "is on", exact: true }).click();
			await plain.getByRole("link", { name: HANDBOOK }).waitFor();
			await assertAccessible(plain, { within: "main" });
			await plain.close();
		});

		test("reports an unknown name and allows another search", async () => {
			await open("/graph?node=somebody");
			await page.getByText("No facts about “somebody”").waitFor();
			await page.getByRole("combobox", { name: "Find a node" }).fill("earth");
			await page.getByRole("option", { name: /^Earth/ }).click();
			await chosen("Earth").waitFor();
		});
	});
});
