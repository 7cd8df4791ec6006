import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { StoredFile } from "@tripline/contract/files";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { createExecutor } from "../services.ts";
import { formatSize, toShown } from "./describe.ts";
import { parseId, unknownFileProblem } from "./files.ts";
import { toLocalName } from "./local-name.ts";
import { startTransfer } from "./transfer.ts";
import { existsProblem, writeDownload } from "./write-download.ts";

export async function run(invocation: Invocation): Promise<Outcome> {
	const { io, positionals, flags } = invocation;
	const id = parseId(positionals.id as string);
	const { files } = createExecutor(io);
	const file = await files.get(id);
	if (file === null) throw unknownFileProblem(id);
	const shown = choosePath(io.cwd, flags.to as string | undefined, file);
	const target = resolve(io.cwd, shown);
	const mayReplace = flags.force === true;
	if (!mayReplace && exists(target)) throw existsProblem(shown);
	const content = await files.content(id);
	if (content === null) throw unknownFileProblem(id);
	const transfer = startTransfer(invocation, `downloading ${toShown(shown)}`, content, file.size);
	try {
		await writeDownload(transfer.counted, { target, shown: toShown(shown), size: file.size, mayReplace });
	} finally {
		transfer.end();
	}
	return {
		json: { path: target, bytes: transfer.bytes(), file },
		text: `${toShown(shown)} (${formatSize(transfer.bytes())})`,
	};
}

/** The path of `--to`, or in its folder the file's own name. */
function choosePath(cwd: string, to: string | undefined, { name }: StoredFile): string {
	const local = toLocalName(name);
	if (to === undefined) return local;
	const isFolder =
		/[/\\]$/.test(to) || statSync(resolve(cwd, to), { throwIfNoEntry: false })?.isDirectory() === true;
	return isFolder ? join(to, local) : to;
}

function exists(target: string): boolean {
	try {
		return statSync(target, { throwIfNoEntry: false }) !== undefined;
	} catch (error) {
		throw new CliProblem(`${toShown(target)} cannot be written (${(error as NodeJS.ErrnoException).code})`);
	}
}
