import type { Entry } from "@tripline/contract/entries";
import { Id, PageName } from "@tripline/contract/names";
import { TerminalError } from "@tripline/engine/terminal-error";
import * as z from "zod";
import { define } from "./define.ts";
import type { Knowledge } from "./effects.ts";
import { WritableType } from "./kb-entry-types.ts";

const ENTRIES_PER_CALL = 100;

export const kbDelete = define({
	id: "kb_delete",
	title: "Delete an entry",
	description:
		"Deletes an entry of the knowledge store by its page name or its id. If several entries have the page name and type, all of them are deleted. Deleting an entry that does not exist is not an error.",
	params: z
		.strictObject({
			page_name: PageName.optional().meta({ description: "The page's name" }),
			entry_type: WritableType.optional().meta({
				description: "The entry's type, with `page_name`; default `note`",
			}),
			id: Id.optional().meta({ description: "The entry's id, instead of `page_name` and `entry_type`" }),
		})
		.refine(({ page_name, id }) => (page_name === undefined) !== (id === undefined), {
			path: ["page_name"],
			message: "must be left out when id is given",
		})
		.refine(({ entry_type, id }) => entry_type === undefined || id === undefined, {
			path: ["entry_type"],
			message: "must be left out when id is given",
		}),
	output: z.object({ deleted: z.int().min(0).meta({ description: "Number of entries deleted" }) }),
	examples: [
		{
			title: "A missing page",
			params: { page_name: "Coffee", entry_type: "guide" },
			output: { deleted: 0 },
		},
		{
			title: "By id",
			input: { id: "01890000-0000-7000-8000-000000000000" },
			params: { id: "{{input.id}}" },
			output: { deleted: 0 },
		},
		{
			title: "Triplets are replaced with kb_ingest_triplet",
			params: { page_name: "Tea", entry_type: "triplet" },
			error: 'parameter "entry_type" is triplet, a type that kb_ingest_triplet writes; use another',
		},
	],
	async run({ params: { page_name, entry_type = "note", id }, effects: { knowledge }, signal }) {
		if (id === undefined) return { deleted: await deletePage(knowledge, entry_type, page_name, signal) };
		const entry = await knowledge.getById(id, signal);
		if (entry === null) return { deleted: 0 };
		assertDeletable(entry);
		return { deleted: (await knowledge.delete(id, signal)) ? 1 : 0 };
	},
});

async function deletePage(
	knowledge: Knowledge,
	entry_type: string,
	page_name: string | undefined,
	signal: AbortSignal,
): Promise<number> {
	let deleted = 0;
	for (;;) {
		const page = await knowledge.list({ entry_type, page_name, limit: ENTRIES_PER_CALL }, signal);
		for (const { id } of page.entries) if (await knowledge.delete(id, signal)) deleted++;
		if (page.next_cursor === null) return deleted;
	}
}

/** An id may belong to any entry of the namespace, such as a workflow or a credential. */
function assertDeletable({ id, entry_type }: Entry): void {
	const problem = WritableType.safeParse(entry_type).error?.issues[0]?.message;
	if (problem !== undefined) throw new TerminalError(`the type of entry ${id} ${problem}`);
}
