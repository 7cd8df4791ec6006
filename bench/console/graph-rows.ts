import type { Row, Section } from "../report.ts";
import { type Browsing, computeMedian, FRAME_MS, pickShare, SHARES, sortAscending } from "./browsing.ts";
import { FACTS, NODES } from "./data.ts";
import { type GraphFigures, type Moving, measureGraph, measureMinFrames } from "./graph.ts";

const TRIES = 3;
const MAX_TASK_MS = 200;
/** Twenty frames per second, drawn by the CPU besides everything else. */
const MAX_SPACING_MS = 50;

/** Whether the knowledge graph keeps up with its user. */
export async function graphSections(browsing: Browsing): Promise<Section[]> {
	const graphs: GraphFigures[] = [];
	for (let tried = 0; tried < TRIES; tried++) graphs.push(await measureGraph(browsing, "graphics"));
	const least = await measureMinFrames(browsing);
	const spaced = await measureGraph(browsing, "processor");
	const size = `${NODES.toLocaleString("en")} nodes and ${FACTS.toLocaleString("en")} facts`;
	return [
		{ title: `The graph with ${size}, from its answer on, median`, rows: graphRows(graphs) },
		{
			title:
				"All that the page does from frame to frame while the graph moves, without waiting for what draws: ours / two nodes",
			rows: movingRows(graphs, least),
		},
		{
			title:
				"From frame to frame where the processor draws, which leaves out lines while it moves: ours / two nodes",
			rows: spacingRows(spaced, least),
		},
	];
}

function graphRows(graphs: readonly GraphFigures[]): Row[] {
	const longest = (of: keyof GraphFigures["tasks"], as: "worked" | "took") =>
		computeMedian(graphs.map(({ tasks }) => Math.max(...tasks[of].map((task) => task[as]))));
	const bar = { on: "ours", most: MAX_TASK_MS } as const;
	return [
		{
			what: "first picture",
			unit: "ms",
			ours: computeMedian(graphs.map(({ firstPicture }) => firstPicture)),
		},
		{ what: "layout at rest", unit: "s", ours: computeMedian(graphs.map(({ layout }) => layout)) / 1000 },
		{ what: "longest task until then, its work", unit: "ms", ours: longest("opening", "worked"), bar },
		{ what: "longest task, with waiting for what draws", unit: "ms", ours: longest("opening", "took") },
		{ what: "longest task when nodes are pointed at", unit: "ms", ours: longest("pointing", "worked"), bar },
		{ what: "longest task when a node is chosen", unit: "ms", ours: longest("choosing", "worked"), bar },
		{ what: "longest task when facts are filtered", unit: "ms", ours: longest("filtering", "worked"), bar },
	];
}

function movingRows(graphs: readonly GraphFigures[], least: Moving): Row[] {
	return (["panning", "zooming"] as const).flatMap((how) => {
		const worked = sortAscending(graphs.flatMap(({ frames }) => frames[how].map((frame) => frame.worked)));
		const floor = sortAscending(least[how].map((frame) => frame.worked));
		return SHARES.map(([what, part]) => ({
			what: `${how}, ${what}`,
			unit: "ms" as const,
			floor: pickShare(floor, part),
			ours: pickShare(worked, part),
			...(part === 0.95 && { bar: { on: "ours" as const, most: FRAME_MS } }),
		}));
	});
}

const spacingRows = ({ frames }: GraphFigures, least: Moving): Row[] =>
	(["panning", "zooming"] as const).flatMap((how) => {
		const [floor, ours] = [least[how], frames[how]].map((all) =>
			sortAscending(all.map(({ spacing }) => spacing)),
		);
		return SHARES.map(([what, part]) => ({
			what: `${how}, ${what}`,
			unit: "ms" as const,
			floor: pickShare(floor ?? [], part),
			ours: pickShare(ours ?? [], part),
			...(part === 0.95 && { bar: { on: "ours" as const, most: MAX_SPACING_MS } }),
		}));
	});
