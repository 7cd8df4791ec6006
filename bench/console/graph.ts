import type { Page } from "playwright-core";
import type { Browsing } from "./browsing.ts";
import { sameThread, type TraceEvent, tracedDuring } from "./tracing.ts";

export const NODES = 5000;
export const FACTS = 8000;
const PREDICATES = [
	"is part of",
	"is sold by",
	"requires",
	"mentions",
	"is made of",
	"is run by",
	"ships from",
];

/** An answer to a walk through a large graph: each node hangs on one before it, some lines go across, some facts are old. */
function manyFacts() {
	let state = 7;
	const below = (count: number): number => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return Math.floor((state / 2 ** 32) * count);
	};
	const nameOf = (nth: number) => `thing number ${nth} of the workshop`;
	const triplets = Array.from({ length: FACTS }, (_, nth) => {
		const isTree = nth < NODES - 1;
		const subject = isTree ? nth + 1 : 1 + below(NODES - 1);
		// Near to the square of a random share, so that a few have many.
		const object = isTree ? below(1 + Math.floor((subject * (1 + below(100))) / 100)) : below(subject);
		return {
			id: `triplet-${nth}`,
			owner_id: "default",
			subject: nameOf(subject),
			predicate: PREDICATES[nth % PREDICATES.length],
			object: nameOf(object),
			status: nth % 20 === 19 ? "deprecated" : "active",
			superseded_by: nth % 20 === 19 ? `triplet-${nth - 1}` : null,
			source_uri: `https://example.com/page-${nth % 300}`,
			content_hash: `version ${nth % 3}`,
			source_anchor: `section ${nth}`,
			block_id: null,
			confidence: 0.9,
			created_at: 1_700_000_000 + nth,
			updated_at: 1_700_000_000 + nth,
		};
	});
	const nodes = Array.from({ length: NODES }, (_, nth) => ({
		name: nameOf(nth),
		depth: Math.min(nth, 2),
		gloss: nth % 3 === 0 ? `What thing number ${nth} is, in a few words` : null,
	}));
	return { start: nameOf(0), nodes, triplets, truncated: false };
}

/** Milliseconds. `worked` is the processor's time, `took` has what the thread waited for too. */
interface Task {
	readonly worked: number;
	readonly took: number;
}

interface Frame extends Task {
	/** Since the frame before. */
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
	readonly frames: { readonly panning: readonly Frame[]; readonly zooming: readonly Frame[] };
}

/**
 * Where the browser draws by the processor the page leaves out lines while it moves. As if it did not, the page has all
 * the work that it has beside a graphics processor, and waits for the lines.
 */
export const graphFigures = ({ url, withPage }: Browsing, drawnBy: "graphics" | "processor") =>
	withPage(async (page): Promise<GraphFigures> => {
		await page.addInitScript(MARKS_THE_FIRST_PICTURE);
		if (drawnBy === "graphics") await page.addInitScript(NAMES_A_GRAPHICS_PROCESSOR);
		const json = manyFacts();
		await page.route("**/gui/graph/traverse**", (route) => route.fulfill({ json }));
		const opening = await tracedDuring(page, async () => {
			await page.goto(`${url}/graph?${new URLSearchParams({ node: json.start, deprecated: "1" })}`);
			// By role it would be looked for again and again, at the cost of what is measured.
			await page.locator(".kg-controls [aria-label='Pause the layout']").waitFor();
			await page.locator(".kg-controls [aria-label='Lay out again']").waitFor({ timeout: 300_000 });
		});
		const asked = opening.find(
			({ name, args }) => name === "ResourceSendRequest" && args.data?.url?.includes("/gui/graph/traverse"),
		);
		const here = sameThread(opening, asked);
		const from =
			here.find(
				({ name, args }) => name === "ResourceFinish" && args.data?.requestId === asked?.args.data?.requestId,
			)?.ts ?? 0;
		const drawn = here.find(({ name }) => name === "first picture")?.ts ?? Number.POSITIVE_INFINITY;
		const frame = page.getByRole("application");
		const box = await frame.boundingBox();
		const middle = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
		const traced = async (work: () => Promise<void>) => sameThread(await tracedDuring(page, work), asked);
		await page.mouse.move(middle.x, middle.y);
		const panning = await traced(() => pan(page, middle));
		const zooming = await traced(() => zoom(page));
		const pointing = await traced(() => point(page, middle));
		await frame.focus();
		const choosing = await traced(async () => {
			for (const key of ["ArrowRight", "ArrowUp", "ArrowLeft"]) {
				await page.keyboard.press(key);
				await page.waitForTimeout(500);
			}
		});
		const filtering = await traced(async () => {
			for (const name of [/^requires /, "All"]) {
				await page.getByRole("button", { name, exact: true }).click();
				await page.waitForTimeout(500);
			}
		});
		return {
			firstPicture: (drawn - from) / 1000,
			layout: ((here.at(-1)?.ts ?? 0) - from) / 1000,
			tasks: {
				opening: tasksOf(here.filter(({ ts, dur = 0 }) => ts + dur > from)),
				pointing: tasksOf(pointing),
				choosing: tasksOf(choosing),
				filtering: tasksOf(filtering),
			},
			frames: { panning: framesOf(panning), zooming: framesOf(zooming) },
		};
	});

/** All nodes are drawn in one call. */
const MARKS_THE_FIRST_PICTURE = `{
	const { drawArraysInstanced } = WebGL2RenderingContext.prototype;
	WebGL2RenderingContext.prototype.drawArraysInstanced = function (...all) {
		if (all[3] >= ${NODES}) {
			performance.mark("first picture");
			WebGL2RenderingContext.prototype.drawArraysInstanced = drawArraysInstanced;
		}
		return drawArraysInstanced.apply(this, all);
	};
}`;

const NAMES_A_GRAPHICS_PROCESSOR = `{
	const UNMASKED_RENDERER = 0x9246;
	const { getParameter } = WebGL2RenderingContext.prototype;
	WebGL2RenderingContext.prototype.getParameter = function (which) {
		return which === UNMASKED_RENDERER ? "a graphics processor" : getParameter.call(this, which);
	};
}`;

const tasksOf = (events: readonly TraceEvent[]): Task[] =>
	events
		.filter(({ name }) => name === "RunTask")
		.map(({ dur = 0, tdur = dur }) => ({ worked: tdur / 1000, took: dur / 1000 }));

/** What the page's thread does for each frame: all tasks since the one before. */
function framesOf(events: readonly TraceEvent[]): Frame[] {
	const frames: Frame[] = [];
	const drawn = events.filter(({ name }) => name === "FireAnimationFrame").map(({ ts }) => ts);
	let [worked, took, before, nth] = [0, 0, Number.NaN, 0];
	for (const { name, ts, dur = 0, tdur = dur } of events) {
		if (name !== "RunTask") continue;
		worked += tdur / 1000;
		took += dur / 1000;
		while ((drawn[nth] ?? Number.POSITIVE_INFINITY) < ts) nth++;
		if ((drawn[nth] ?? Number.POSITIVE_INFINITY) >= ts + dur) continue;
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
			// So long the library takes for a turn.
			await page.waitForTimeout(250);
		}
}

async function point(page: Page, { x, y }: Point): Promise<void> {
	for (let step = 1; step <= 60; step++) await page.mouse.move(x + 3 * step, y + 60 * Math.sin(step / 5));
}
