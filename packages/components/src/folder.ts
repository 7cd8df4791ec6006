import { FileValue, toFileName } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import { listMembers, type Type } from "@tripline/engine/types/type";
import { type FolderEntry, FolderProblem, type Folders } from "@tripline/platform/folders";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { findTypeBySuffix } from "./file-types.ts";
import { Params } from "./folder/params.ts";

type Call = NodeCall<Effects> & { readonly params: z.output<typeof Params> };

const DEFAULT_ENTRIES = 100;
const UNITS_PER_ENTRY = 10;

const Listing = z.object({
	entries: z
		.array(
			z.object({
				name: z.string(),
				path: z.string(),
				kind: z.enum(["file", "folder", "other"]).meta({ description: "A link is `other`" }),
				size: z.int().meta({ description: "In bytes; 0 unless it is a file" }),
				modified_at: z.string().meta({ description: "ISO 8601" }),
			}),
		)
		.meta({ description: "By name" }),
	next: z.string().nullable().meta({ description: "Pass it as `after` for the rest; null at the end" }),
});
const Placed = z.object({ path: z.string() });
const Written = z.object({ path: z.string(), size: z.int().meta({ description: "In bytes" }) });
const Deleted = z.object({ deleted: z.boolean().meta({ description: "False if there was no such file" }) });

export const folder = define({
	id: "folder",
	title: "Files in a folder",
	description: `Reads and writes files in folders of the machine that runs the service.

- \`list\`: the \`entries\` of a folder, without those of the folders in it.
- \`read\`: a file, which other nodes can open.
- \`write\`: the bytes of a \`file\`, or a \`text\`. The file appears when it is complete. Folders that do not exist are created. Only the service's user can read new files; one that is replaced keeps its permissions.
- \`delete\`: deletes a file. There is no error if it does not exist.
- \`move\`: gives a file another name or folder, on the same disk.

Only folders that the setting \`ALLOW_FOLDERS\` names can be used, and only by workflows of a self-hosted service on Node. A path with \`..\` is refused, one that leads out of them through a link too, and so is everything but files and folders, such as pipes and devices.`,
	params: Params,
	targets: ["path", "to"],
	output: z.union([FileValue, Listing, Written, Placed, Deleted]).meta({
		description: "For `read` the file; otherwise an object that depends on the action",
	}),
	inferOutput: ({ output, constant }) => inferResult(constant("action"), output),
	examples: [
		{ title: "List a folder", params: { action: "list", path: "/srv/orders" } },
		{ title: "Read a file", params: { action: "read", path: "/srv/orders/march.csv" } },
		{
			title: "Write a text",
			input: { total: 12 },
			params: { action: "write", path: "/srv/reports/today.txt", text: "{{input.total}} orders\n" },
			output: { path: "/srv/reports/today.txt", size: 10 },
		},
		{
			title: "Move what was processed",
			params: { action: "move", path: "/srv/orders/march.csv", to: "/srv/orders/done/march.csv" },
			output: { path: "/srv/orders/done/march.csv" },
		},
		{
			title: "A file is not replaced by accident",
			params: { action: "write", path: "/srv/orders/april.csv", text: "id\n" },
			error: "a file exists at this path: set overwrite to replace it",
		},
		{
			title: "Delete a file",
			params: { action: "delete", path: "/srv/orders/old.csv" },
			output: { deleted: false },
		},
	],
	async run(call) {
		const { folders } = call.effects;
		if (folders === null) {
			throw new TerminalError(
				"no folder is open to workflows: name it in ALLOW_FOLDERS of a self-hosted service on Node",
			);
		}
		try {
			return await act(folders, call);
		} catch (error) {
			throw error instanceof FolderProblem ? new TerminalError(error.message) : error;
		}
	},
});

async function act(folders: Folders, call: Call): Promise<Json> {
	const { path, to = "", limit = DEFAULT_ENTRIES, after, overwrite = false, action } = call.params;
	switch (action) {
		case "list": {
			const { entries, hasMore } = await folders.list(path, { limit, after });
			call.meter.spend(entries.length * UNITS_PER_ENTRY);
			const next = hasMore ? (entries.at(-1)?.name ?? null) : null;
			return { entries: entries.map((entry) => renderEntry(path, entry)), next };
		}
		case "read":
			return readFile(folders, call);
		case "write": {
			const { size } = await folders.write(path, await openContent(call), { overwrite });
			return { path, size };
		}
		case "delete":
			return { deleted: await folders.delete(path) };
		case "move":
			await folders.move(path, to, { overwrite });
			return { path: to };
	}
}

async function readFile(folders: Folders, call: Call): Promise<Json> {
	const { name: given, content } = await folders.read(call.params.path);
	const name = toFileName(given);
	const type = call.params.type ?? findTypeBySuffix(name);
	return { ...(await call.effects.files.create({ name, type }, content, call)) };
}

async function openContent(call: Call): Promise<AsyncIterable<Uint8Array>> {
	const { file, text = "" } = call.params;
	if (file === undefined) return encode(text, call);
	return untilAborted((await call.effects.files.open(file, call)).read(), call.signal);
}

async function* encode(text: string, { meter }: Call): AsyncGenerator<Uint8Array> {
	meter.spendOnText(text.length);
	yield new TextEncoder().encode(text);
}

async function* untilAborted(
	content: AsyncIterable<Uint8Array>,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	for await (const piece of content) {
		signal.throwIfAborted();
		yield piece;
	}
}

const renderEntry = (folder: string, { name, kind, size, modifiedAt }: FolderEntry) => ({
	name,
	path: `${folder.replace(/\/$/, "")}/${name}`,
	kind,
	size,
	modified_at: new Date(modifiedAt).toISOString(),
});

const RESULT_FIELDS: Readonly<Record<string, string>> = {
	list: "entries",
	read: "$file",
	write: "size",
	delete: "deleted",
	move: "path",
};

/** `output` is what any action may return. */
function inferResult(action: Json | undefined, output: Type): Type {
	const field = typeof action === "string" ? RESULT_FIELDS[action] : undefined;
	if (field === undefined) return output;
	const results = listMembers(output).filter((member) => member.kind === "object");
	// Only a written file has both a path and a size.
	const fitting = results.filter(
		({ fields }) =>
			fields.has(field) &&
			(action !== "write" || fields.has("path")) &&
			(action !== "move" || !fields.has("size")),
	);
	return fitting[0] ?? output;
}
