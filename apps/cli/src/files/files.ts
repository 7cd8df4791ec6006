import { FileId, MAX_LINK_MINUTES, type StoredFile } from "@tripline/contract/files";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { createExecutor } from "../services.ts";
import { formatSize, renderDownload, toShown } from "./describe.ts";

const USAGE = 2;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;
const PAGE_SIZE = 100;

export async function list({ io, flags }: Invocation): Promise<Outcome> {
	const limit = parseCount("limit", flags.limit, MAX_LIMIT) ?? DEFAULT_LIMIT;
	const prefix = flags.prefix as string | undefined;
	const files = await listNewest(createExecutor(io), limit, {
		...((flags.kept === true || prefix !== undefined) && { kept: true }),
		...(prefix !== undefined && { prefix }),
	});
	return {
		json: { files },
		text: {
			columns: ["created", "id", "size", "type", "expires", "name"],
			rows: files.map(({ created_at, id, size, type, expires_at, name, kept_as }) => [
				formatTime(created_at),
				id,
				formatSize(size),
				toShown(type),
				expires_at === null ? "never" : formatTime(expires_at),
				kept_as === null ? toShown(name) : `${toShown(name)} (kept as ${toShown(kept_as)})`,
			]),
			empty: "no files; send one with: tripline files upload <path>",
		},
	};
}

async function listNewest(
	{ files }: TenantExecutor,
	limit: number,
	filter: { readonly kept?: true; readonly prefix?: string },
): Promise<StoredFile[]> {
	const found: StoredFile[] = [];
	let cursor: string | undefined;
	do {
		const page = await files.list({ ...filter, limit: Math.min(PAGE_SIZE, limit - found.length), cursor });
		found.push(...page.files);
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined && found.length < limit);
	return found;
}

export async function show({ io, positionals }: Invocation): Promise<Outcome> {
	const id = parseId(positionals.id as string);
	const file = await createExecutor(io).files.get(id);
	if (file === null) throw unknownFileProblem(id);
	const said: [string, string | null][] = [
		["name", toShown(file.name)],
		["type", toShown(file.type)],
		["size", `${formatSize(file.size)}${file.size < 1000 ? "" : ` (${file.size} bytes)`}`],
		["kept as", file.kept_as === null ? null : toShown(file.kept_as)],
		["created", formatTime(file.created_at)],
		["expires", file.expires_at === null ? "never" : formatTime(file.expires_at)],
		["run", file.execution_id],
		["id", file.id],
	];
	const lines = said.flatMap(([name, value]) => (value === null ? [] : [`${`${name}:`.padEnd(9)}${value}`]));
	return { json: file, text: [...lines, "", renderDownload(file.id)].join("\n") };
}

export async function link({ io, positionals, flags }: Invocation): Promise<Outcome> {
	const id = parseId(positionals.id as string);
	const minutes = parseCount("minutes", flags.minutes, MAX_LINK_MINUTES);
	const made = await createExecutor(io).files.link(id, minutes === undefined ? {} : { minutes });
	if (made === null) throw unknownFileProblem(id);
	return { json: made, text: toShown(made.url) };
}

export async function remove({ io, positionals }: Invocation): Promise<Outcome> {
	const ids = (positionals.id as readonly string[]).map(parseId);
	const { files } = createExecutor(io);
	const missing: string[] = [];
	for (const id of ids) if (!(await files.delete(id))) missing.push(id);
	const deleted = ids.filter((id) => !missing.includes(id));
	if (deleted.length === 0) throw unknownFileProblem(missing[0] as string);
	return {
		code: missing.length > 0 ? 1 : 0,
		json: { deleted, missing },
		text: [...deleted.map((id) => `${id} deleted`), ...missing.map((id) => `${id} not found`)].join("\n"),
	};
}

export function parseId(given: string): string {
	if (FileId.safeParse(given).success) return given;
	throw new CliProblem(`${JSON.stringify(given)} is not the id of a file`, {
		code: USAGE,
		hint: "an id has 22 letters, digits, _ or -; tripline files list shows them",
	});
}

export const unknownFileProblem = (id: string): CliProblem =>
	new CliProblem(`there is no file ${id}`, {
		hint: "it may have expired; tripline files list shows those that are there",
	});

function parseCount(flag: string, given: Invocation["flags"][string], max: number): number | undefined {
	if (given === undefined) return undefined;
	const count = Number(given);
	if (Number.isInteger(count) && count >= 1 && count <= max) return count;
	throw new CliProblem(`--${flag} must be 1 to ${max}`, { code: USAGE });
}
