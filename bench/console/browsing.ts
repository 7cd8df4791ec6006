import { join } from "node:path";
import { systemClock } from "@tripline/platform/clock";
import type { Page } from "playwright-core";
import { buildConsole } from "../../apps/console/build.ts";
import { readFolder } from "../../apps/node/src/console-folder.ts";
import { startService } from "../../apps/node/src/service.ts";
import { parseSettings } from "../../apps/node/src/settings.ts";
import { launchChromium } from "../../test/browser/chromium.ts";
import { filterSameThread, type TraceEvent, traceDuring } from "./tracing.ts";

const TOKEN = "static-token-of-the-measurements";

/** A service with the console, and a real browser. */
export interface Browsing {
	readonly url: string;
	/** Calls the console's API. */
	api(method: string, path: string, body: object | string): Promise<unknown>;
	/** Writes through the store's API. */
	store(path: string, body: object): Promise<unknown>;
	/** Opens a page of a logged-in user with empty storage; closed after use. */
	withPage<T>(use: (page: Page) => Promise<T>, slowedBy?: number): Promise<T>;
	close(): Promise<void>;
}

export async function startBrowsing(folder: string): Promise<Browsing> {
	const dist = join(folder, "console");
	await buildConsole(dist);
	const service = await startService({
		settings: parseSettings({
			PORT: "0",
			STORE_PORT: "0",
			DATA_DIR: join(folder, "data"),
			MCP_STATIC_TOKEN: TOKEN,
		}),
		clock: systemClock,
		log: () => {},
		version: "0.0.0-bench",
		console: readFolder(dist),
	});
	const browser = await launchChromium();
	return {
		url: `${service.publicUrl}/console`,
		async api(method, path, body) {
			const isText = typeof body === "string";
			const response = await fetch(service.publicUrl + path, {
				method,
				headers: {
					authorization: `Bearer ${TOKEN}`,
					"content-type": isText ? "application/yaml" : "application/json",
				},
				body: isText ? body : JSON.stringify(body),
			});
			return readAnswer(response);
		},
		async store(path, body) {
			const headers = { "content-type": "application/json" };
			return readAnswer(
				await fetch(service.storeUrl + path, { method: "POST", headers, body: JSON.stringify(body) }),
			);
		},
		async withPage(use, slowedBy = 1) {
			const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
			try {
				const kept = JSON.stringify(JSON.stringify(TOKEN));
				await context.addInitScript(`sessionStorage.setItem("tripline.typed_token", ${kept})`);
				const page = await context.newPage();
				const devtools = await context.newCDPSession(page);
				await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowedBy });
				return await use(page);
			} finally {
				await context.close();
			}
		},
		async close() {
			await browser.close();
			await service.close();
		},
	};
}

async function readAnswer(response: Response): Promise<unknown> {
	if (!response.ok) throw new Error(`${response.url} answers ${response.status}: ${await response.text()}`);
	return response.json();
}

/** Frame times of the page during `work`, in milliseconds, shortest first. */
export async function measureFrames(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
	await page.evaluate(`
		globalThis.frames_ = [];
		let before = performance.now();
		const frame = (now) => {
			if (globalThis.frames_ === undefined) return;
			globalThis.frames_.push(now - before);
			before = now;
			requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
	`);
	await work();
	const frames = (await page.evaluate(
		"(() => { const all = frames_; delete globalThis.frames_; return all; })()",
	)) as number[];
	return sortAscending(frames.slice(1));
}

export const FRAME_MS = 1000 / 60;
export const SHARES = [
	["median", 0.5],
	["95 of 100", 0.95],
	["longest", 1],
] as const;

export const pickShare = (sorted: readonly number[], part: number): number =>
	sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

export const sortAscending = (values: readonly number[]): number[] =>
	values.toSorted((one, other) => one - other);
export const computeMedian = (values: readonly number[]): number => pickShare(sortAscending(values), 0.5);

/**
 * How long the page works on each key until it is on the screen, in milliseconds, shortest first: the tasks from the key
 * to the first frame after it, without the time spent waiting for the frame.
 */
export async function measureKeys(page: Page, keys: readonly string[]): Promise<readonly number[]> {
	const events = await traceDuring(page, async () => {
		for (const key of keys) {
			await page.keyboard.press(key);
			await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))");
		}
	});
	return sortAscending(listKeyWork(events).slice(20));
}

function listKeyWork(events: readonly TraceEvent[]): number[] {
	const isKey = ({ name, args }: TraceEvent) => name === "EventDispatch" && args.data?.type === "keydown";
	const here = filterSameThread(events, events.find(isKey));
	const tasks = here.filter(({ name }) => name === "RunTask");
	return here.filter(isKey).map(({ ts: pressed }) => {
		const drawn =
			here.find(({ name, ts }) => name === "Paint" && ts > pressed)?.ts ?? Number.POSITIVE_INFINITY;
		const worked = tasks.filter(({ ts, dur = 0 }) => ts + dur > pressed && ts < drawn);
		return worked.reduce((sum, { dur = 0 }) => sum + dur, 0) / 1000;
	});
}

const USABLE = "usable after";

/**
 * When the content was visible, by the page's own clock, from the request of its address. The page reports it itself,
 * because polling it from outside would be measured too.
 */
export async function measureUsable(page: Page, url: string): Promise<number> {
	await page.addInitScript(`
		const seen = new MutationObserver(() => {
			if (document.querySelector("main h1") === null || document.querySelector(".skeleton") !== null) return;
			seen.disconnect();
			console.debug("${USABLE}", performance.now());
		});
		seen.observe(document, { childList: true, subtree: true });
	`);
	const told = page.waitForEvent("console", (message) => message.text().startsWith(USABLE));
	await page.goto(url);
	return Number((await told).text().slice(USABLE.length));
}
