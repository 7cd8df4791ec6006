import { basename, extname, resolve } from "node:path";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { parseData } from "../data-file.ts";
import { createExecutor } from "../services.ts";
import { readTextFile } from "../text-file.ts";

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const file = positionals.file as string;
	const { id: written, ...recipe } = parseData(readTextFile(resolve(io.cwd, file), file), file, {
		isSecret: false,
	});
	const id = flags.id ?? written ?? basename(file, extname(file));
	if (typeof id !== "string") throw new CliProblem(`${file}: id must be a string`);
	const stored = await createExecutor(io).authRecipe.put(id, recipe);
	return {
		json: { ...stored, id },
		text: `stored the auth recipe ${id}\nto store a credential: tripline creds push --name <name> --recipe ${id}`,
	};
}
