import type { ToolContext } from "../tools/tool.ts";

/** The protocol's limit for one answer. */
const MAX_NAMES = 100;

/** Names of workflows that contain the text; those that start with it come first. */
export async function findWorkflowNames(
	value: string,
	{ executor }: ToolContext,
): Promise<readonly string[]> {
	const { workflows } = await executor.workflows.list();
	return filterNames(
		value,
		workflows.map(({ name }) => name),
	);
}

/** Ids of the newest entries that start with the text, else of the entries that a search for it finds. */
export async function findEntryIds(
	value: string,
	{ store, namespace, signal }: ToolContext,
): Promise<readonly string[]> {
	const filter = { owner_id: namespace, knowledge: "true", limit: MAX_NAMES } as const;
	const { entries } = await store.entries.list(filter, { signal });
	const newest = entries.map(({ id }) => id).filter((id) => id.startsWith(value.toLowerCase()));
	if (newest.length > 0 || !/[\p{L}\p{N}]/u.test(value)) return newest;
	const found = await store.search(
		{ owner_id: namespace, q: value.slice(0, 200).toWellFormed(), limit: 20 },
		{ signal },
	);
	return found.map(({ id }) => id);
}

/** Ids of the newest files whose id starts with the text or whose name contains it. */
export async function findFileIds(
	value: string,
	{ executor, signal }: ToolContext,
): Promise<readonly string[]> {
	const { files } = await executor.files.list({ limit: MAX_NAMES }, { signal });
	const wanted = value.toLowerCase();
	return files
		.filter(({ id, name }) => id.startsWith(value) || name.toLowerCase().includes(wanted))
		.map(({ id }) => id);
}

function filterNames(value: string, names: readonly string[]): readonly string[] {
	const wanted = value.toLowerCase();
	const places = names
		.map((name) => ({ name, place: name.toLowerCase().indexOf(wanted) }))
		.filter(({ place }) => place !== -1);
	return places
		.sort((one, other) => Math.sign(one.place) - Math.sign(other.place) || (one.name < other.name ? -1 : 1))
		.slice(0, MAX_NAMES)
		.map(({ name }) => name);
}
