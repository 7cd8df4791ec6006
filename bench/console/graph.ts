import type { Page } from "playwright-core";
import type { Browsing } from "./browsing.ts";
import { createFacts, NODES } from "./data.ts";
import { filterSameThread, type TraceEvent, traceDuring } from "./tracing.ts";

/** Milliseconds. `worked` is CPU time, `took` includes waiting. */
interface Task {
	readonly worked: number;
	readonly took: number;
}

interface Frame extends Task {
	/** Since the previous frame. */
	readonly spacing: number;
}

export interface GraphFigures {
	/** From the answer to the call that draws all nodes. */
	readonly firstPicture: number;
	readonly layout: number;
	readonly tasks: {
		/** From the answer until the layout rests. */
		readonly opening: readonly Task[];
		readonly pointing: readonly Task[];
		/** While nodes are chosen. */
		readonly choosing: readonly Task[];
		/** While one kind of fact is chosen, and all again. */
		readonly filtering: readonly Task[];
	};
	readonly frames: Moving;
}

export interface Moving {
	readonly panning: readonly Frame[];
	readonly zooming: readonly Frame[];
}

/**
 * If the browser draws on the CPU, the page omits lines while it moves. When it believes there is a GPU, the page does
 * all the work it does with one, and waits for the lines.
 */
export const measureGraph = ({ url, withPage }: Browsing, drawnBy: "graphics" | "processor") =>
	withPage(async (page): Promise<GraphFigures> => {
		await page.addInitScript(FIRST_FRAME_SCRIPT);
		if (drawnBy === "graphics") await page.addInitScript(FAKE_GPU_SCRIPT);
		const json = createFacts();
		await page.route("**/gui/graph/traverse**", (route) => route.fulfill({ json }));
		const opening = await traceDuring(page, async () => {
			await page.goto(buildAddress(url, json));
			// A role selector would poll repeatedly and distort the measurement.
			await page.locator(".kg-controls [aria-label='Pause the layout']").waitFor();
			await page.locator(".kg-controls [aria-label='Lay out again']").waitFor({ timeout: 300_000 });
		});
		const asked = opening.find(
			({ name, args }) => name === "ResourceSendRequest" && args.data?.url?.includes("/gui/graph/traverse"),
		);
		const here = filterSameThread(opening, asked);
		const from =
			here.find(
				({ name, args }) => name === "ResourceFinish" && args.data?.requestId === asked?.args.data?.requestId,
			)?.ts ?? 0;
		const drawn = here.find(({ name }) => name === "first picture")?.ts ?? Number.POSITIVE_INFINITY;
		const runTraced = async (work: () => Promise<void>) =>
			filterSameThread(await traceDuring(page, work), asked);
		const frames = await measureMoving(page);
		const middle = await findMiddle(page);
		const pointing = await runTraced(() => point(page, middle));
		await page.getByRole("application").focus();
		const choosing = await runTraced(async () => {
			for (const key of ["ArrowRight", "ArrowUp", "ArrowLeft"]) {
				await page.keyboard.press(key);
				await page.waitForTimeout(500);
			}
		});
		const filtering = await runTraced(async () => {
			for (const name of [/^requires /, "All"]) {
				await page.getByRole("button", { name, exact: true }).click();
				await page.waitForTimeout(500);
			}
		});
		return {
			firstPicture: (drawn - from) / 1000,
			layout: ((here.at(-1)?.ts ?? 0) - from) / 1000,
			tasks: {
				opening: listTasks(here.filter(({ ts, dur = 0 }) => ts + dur > from)),
				pointing: listTasks(pointing),
				choosing: listTasks(choosing),
				filtering: listTasks(filtering),
			},
			frames,
		};
	});

/** The cost of each frame with almost nothing to draw. */
export const measureMinFrames = ({ url, withPage }: Browsing) =>
	withPage(async (page): Promise<Moving> => {
		const many = createFacts();
		const json = { ...many, nodes: many.nodes.slice(0, 2), triplets: many.triplets.slice(0, 1) };
		await page.route("**/gui/graph/traverse**", (route) => route.fulfill({ json }));
		await page.goto(buildAddress(url, json));
		await page.getByRole("application").waitFor();
		await page.waitForTimeout(1000);
		return measureMoving(page);
	});

const buildAddress = (url: string, { start }: { readonly start: string }): string =>
	`${url}/graph?${new URLSearchParams({ node: start, deprecated: "1" })}`;

async function measureMoving(page: Page): Promise<Moving> {
	const middle = await findMiddle(page);
	await page.mouse.move(middle.x, middle.y);
	const panning = await traceDuring(page, () => pan(page, middle));
	const zooming = await traceDuring(page, () => zoom(page));
	return { panning: listFrames(panning), zooming: listFrames(zooming) };
}

async function findMiddle(page: Page): Promise<Point> {
	const box = await page.getByRole("application").boundingBox();
	return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
}

/** All nodes are drawn in one call, each a triangle. */
const FIRST_FRAME_SCRIPT = `{
	const { drawArrays } = WebGL2RenderingContext.prototype;
	WebGL2RenderingContext.prototype.drawArrays = function (...all) {
		if (all[2] >= 3 * ${NODES}) {
			performance.mark("first picture");
			WebGL2RenderingContext.prototype.drawArrays = drawArrays;
		}
		return drawArrays.apply(this, all);
	};
}`;

const FAKE_GPU_SCRIPT = `{
	const UNMASKED_RENDERER = 0x9246;
	const { getParameter } = WebGL2RenderingContext.prototype;
	WebGL2RenderingContext.prototype.getParameter = function (which) {
		return which === UNMASKED_RENDERER ? "a graphics processor" : getParameter.call(this, which);
	};
}`;

const listTasks = (events: readonly TraceEvent[]): Task[] =>
	events
		.filter(({ name }) => name === "RunTask")
		.map(({ dur = 0, tdur = dur }) => ({ worked: tdur / 1000, took: dur / 1000 }));

/** Everything the page's thread does between two frames. */
function listFrames(all: readonly TraceEvent[]): Frame[] {
	const isDrawn = ({ name }: TraceEvent) => name === "FireAnimationFrame";
	const events = filterSameThread(all, all.find(isDrawn));
	const drawn = events.filter(isDrawn);
	const frames: Frame[] = [];
	let [worked, took, before] = [0, 0, Number.NaN];
	for (const { ts, dur = 0, tdur = dur } of events.filter(({ name }) => name === "RunTask")) {
		worked += tdur / 1000;
		took += dur / 1000;
		if (!drawn.some((each) => each.ts >= ts && each.ts < ts + dur)) continue;
		if (!Number.isNaN(before)) frames.push({ worked, took, spacing: (ts - before) / 1000 });
		[worked, took, before] = [0, 0, ts];
	}
	return frames;
}

interface Point {
	readonly x: number;
	readonly y: number;
}

async function pan(page: Page, { x, y }: Point): Promise<void> {
	await page.mouse.down();
	for (let step = 1; step <= 60; step++)
		await page.mouse.move(x + 200 * Math.sin(step / 10), y + 120 * Math.sin(step / 7));
	await page.mouse.up();
}

async function zoom(page: Page): Promise<void> {
	for (const direction of [-1, 1])
		for (let turn = 0; turn < 8; turn++) {
			await page.mouse.wheel(0, direction * 60);
			// The duration of one zoom step in the graph package.
			await page.waitForTimeout(250);
		}
}

async function point(page: Page, { x, y }: Point): Promise<void> {
	for (let step = 1; step <= 60; step++) await page.mouse.move(x + 3 * step, y + 60 * Math.sin(step / 5));
}
