import { toFileName } from "@tripline/contract/files";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { createExecutor } from "../services.ts";
import { formatSize, toShown } from "./describe.ts";
import { findLocalFile } from "./local-file.ts";
import { parseType, sendFile, toFileValue } from "./send.ts";

const USAGE = 2;

export async function run(invocation: Invocation): Promise<Outcome> {
	const { io, positionals, flags } = invocation;
	const paths = positionals.path as readonly string[];
	const { name, type } = flags as { readonly name?: string; readonly type?: string };
	if (name !== undefined && paths.length > 1)
		throw new CliProblem("--name can be given with one path only", { code: USAGE });
	const options = {
		...(name !== undefined && { name: toFileName(name) }),
		...(type !== undefined && { type: parseType(type) }),
	};
	const locals = paths.map((path) => findLocalFile(io, path));
	const executor = createExecutor(io);
	const files = [];
	for (const local of locals) files.push(await sendFile(invocation, executor, local, options));
	return {
		json: { files: files.map((file) => ({ ...file, value: toFileValue(file) })) },
		text: {
			columns: ["id", "size", "type", "name"],
			rows: files.map((file) => [file.id, formatSize(file.size), toShown(file.type), toShown(file.name)]),
			empty: "",
		},
	};
}
