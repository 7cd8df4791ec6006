import { api } from "../../../api/api.ts";
import type { Side } from "./comparison.ts";

const PAGE = 200;
const MAX_PAGES = 10;
export const MAX_COMPARED_STEPS = PAGE * MAX_PAGES;

/** Loads the first steps of a run for a comparison. */
export async function loadSide(id: string, signal: AbortSignal): Promise<Side> {
	const { input, nodes, next_cursor } = await api.executions.data(id, { limit: PAGE }, signal);
	let cursor = next_cursor;
	for (let page = 1; cursor !== null && page < MAX_PAGES; page++) {
		const next = await api.executions.data(id, { limit: PAGE, cursor }, signal);
		nodes.push(...next.nodes);
		cursor = next.next_cursor;
	}
	return { input, nodes, isWhole: cursor === null };
}
