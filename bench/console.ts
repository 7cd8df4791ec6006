import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import {
	type Browsing,
	computeMedian,
	FRAME_MS,
	measureFrames,
	measureKeys,
	measureUsable,
	pickShare,
	SHARES,
	startBrowsing,
} from "./console/browsing.ts";
import {
	createDocument,
	createLongDocument,
	createRuns,
	createWorkflows,
	WORKFLOWS,
} from "./console/data.ts";
import { graphSections } from "./console/graph-rows.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

const FIRST_LOAD_KB = 300;
const USABLE_MS = 1000;
const SLOWED_BY = 4;
const TRIES = 5;
const KEYS = 240;
const LINES = 500;
const ROWS = 10_000;
const RUNS = 400;

const PAGES = {
	overview: "",
	workflows: "/workflows",
	"one workflow": "/workflows/long",
	executions: "/executions",
	knowledge: "/knowledge",
	graph: "/graph",
	components: "/components",
	credentials: "/credentials",
	assistants: "/connect",
	settings: "/settings",
} as const;

/** The console in a real browser: what it loads, how soon it can be used, and whether it keeps up with its user. */
export async function consoleSuite(onProgress: (what: string) => void): Promise<Section[]> {
	using folder = scratchFolder();
	onProgress("build, service and browser");
	const browsing = await startBrowsing(folder.path);
	try {
		onProgress("what a new service shows");
		const first = await usableRow(browsing, "overview of a new service", PAGES.overview);
		await fill(browsing);
		onProgress("what pages load");
		const loads = await loadRows(browsing);
		onProgress("until they can be used");
		const usable = await usableRows(browsing);
		onProgress(`scrolling ${ROWS} rows`);
		const scrolling = await scrollRows(browsing);
		onProgress(`typing at ${LINES} lines`);
		const typing = await typingRows(browsing);
		onProgress("the knowledge graph");
		const graph = await graphSections(browsing);
		return [
			{ title: "JavaScript that a first visit loads, gzipped", rows: loads },
			{
				title: `From the address to the content, processor slowed ${SLOWED_BY} times, median`,
				rows: [...usable, first],
			},
			{
				title: `Frames while scrolling ${ROWS.toLocaleString("en")} rows: the list / an empty page`,
				rows: scrolling,
			},
			{
				title: `From a key to the screen at ${LINES} lines, without waiting for the frame: the editor / a text area`,
				rows: typing,
			},
			...graph,
		];
	} finally {
		await browsing.close();
	}
}

/** A day of data, so that every part of the overview has something to show. */
async function fill({ api, store }: Browsing): Promise<void> {
	await api("PUT", "/gui/workflows/long", createLongDocument(LINES));
	for (const [nth, name] of WORKFLOWS.entries())
		await api("PUT", `/gui/workflows/${name}`, createDocument(name, nth));
	await store("/execution-log", { records: createRuns(RUNS, Date.now()) });
}

/** Waits until the heading is visible and no request is pending. */
async function open(page: Page, url: string): Promise<void> {
	await page.goto(url);
	await page.locator("main h1").waitFor();
	await page.locator(".skeleton").first().waitFor({ state: "detached" });
}

async function loadRows({ url, withPage }: Browsing): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [what, path] of Object.entries(PAGES)) {
		const bytes = await withPage(async (page) => {
			const sizes: Promise<number>[] = [];
			page.on("response", (response) => {
				if (/\.js$/.test(response.url())) sizes.push(response.body().then((body) => gzipSync(body).length));
			});
			await open(page, url + path);
			await page.waitForLoadState("networkidle");
			return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
		});
		rows.push({ what, unit: "KB", ours: bytes / 1000, bar: { on: "ours", most: FIRST_LOAD_KB } });
	}
	return rows.map(({ bar, ...row }) => (row.what === "overview" ? { ...row, ...(bar && { bar }) } : row));
}

async function usableRows(browsing: Browsing): Promise<Row[]> {
	const rows = [await usableRow(browsing, "overview", PAGES.overview, USABLE_MS)];
	for (const what of ["workflows", "one workflow", "executions"] as const)
		rows.push(await usableRow(browsing, what, PAGES[what]));
	return rows;
}

async function usableRow(
	{ url, withPage }: Browsing,
	what: string,
	path: string,
	most?: number,
): Promise<Row> {
	const times: number[] = [];
	for (let tried = 0; tried < TRIES; tried++)
		times.push(await withPage((page) => measureUsable(page, url + path), SLOWED_BY));
	return {
		what,
		unit: "ms",
		ours: computeMedian(times),
		...(most !== undefined && { bar: { on: "ours", most } }),
	};
}

async function scrollRows({ url, withPage }: Browsing): Promise<Row[]> {
	const still = await withPage(async (page) => {
		await page.goto("about:blank");
		return measureFrames(page, () => turnWheel(page));
	});
	const moving = await withPage(async (page) => {
		await page.route("**/gui/workflows", (route) =>
			route.fulfill({ json: { workflows: createWorkflows(ROWS) } }),
		);
		await open(page, `${url}/workflows`);
		const list = page.locator("section.virtual");
		await list.hover();
		return measureFrames(page, () => turnWheel(page));
	});
	return SHARES.map(([what, part]) => ({
		what,
		unit: "ms",
		floor: pickShare(still, part),
		ours: pickShare(moving, part),
		...(part === 0.95 && { bar: { on: "ours" as const, most: 2 * FRAME_MS } }),
	}));
}

async function turnWheel(page: Page): Promise<void> {
	// A realistic speed: some 300 pixels per event.
	for (let turn = 0; turn < 100; turn++) await page.mouse.wheel(0, 300);
}

async function typingRows({ url, withPage }: Browsing): Promise<Row[]> {
	// Words of five letters, and lines of eight words.
	const keys = Array.from({ length: KEYS }, (_, nth) => {
		if (nth % 48 === 47) return "Enter";
		return nth % 6 === 5 ? "Space" : "e";
	});
	const plain = await withPage(async (page) => {
		await open(page, `${url}/settings`);
		await page.evaluate(
			`(() => { const area = document.createElement("textarea"); area.style.height = "600px"; area.value = ${JSON.stringify(createLongDocument(LINES))}; document.querySelector("main").prepend(area); area.focus(); })()`,
		);
		return measureKeys(page, keys);
	});
	const ours = await withPage(async (page) => {
		await open(page, `${url}/workflows/long`);
		await page.locator(".cm-content").click();
		await page.keyboard.press("Control+Home");
		await page.keyboard.press("End");
		return measureKeys(page, keys);
	});
	return SHARES.map(([what, part]) => ({
		what,
		unit: "ms",
		floor: pickShare(plain, part),
		ours: pickShare(ours, part),
		...(part === 0.95 && { bar: { on: "ours" as const, most: FRAME_MS } }),
	}));
}
