import { resolve } from "node:path";
import type { WorkflowDiff } from "@tripline/contract/workflow-versions";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { createExecutor } from "../services.ts";
import { applyStyle } from "../style.ts";
import { readTextFile } from "../text-file.ts";
import { compareTexts, missingSide, readSide } from "./compare.ts";
import { type Described, findWorkflow, parseSide, requireVersion } from "./find.ts";
import { renderDiff } from "./render-diff.ts";

interface Compared extends Pick<WorkflowDiff, "hunks" | "nodes"> {
	readonly from: number | "draft";
	/** A path with `--file`. */
	readonly to: number | "draft" | string;
}

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const [from, to] = [parseSide("from", flags.from), parseSide("to", flags.to)];
	const file = flags.file as string | undefined;
	if (file !== undefined && to !== undefined)
		throw new CliProblem("pass either --to or --file", { code: 2, hint: "a file is compared with --from" });
	const executor = createExecutor(io);
	const described = await findWorkflow(executor, "diff", positionals.name as string);
	const compared =
		file === undefined
			? await compareSides(executor, described, from, to)
			: await compareFile(executor, described, from, { file, io });
	return { json: { name: described.name, ...compared }, text: renderCompared(io, compared) };
}

async function compareSides(
	executor: TenantExecutor,
	described: Described,
	from: Compared["from"] | undefined,
	to: Compared["from"] | undefined,
): Promise<Compared> {
	const { name } = described;
	if (from === undefined && (to ?? requireVersion(described)) === 1)
		throw new CliProblem("there is no version before version 1", {
			hint: "compare it with another one: --from <version>",
		});
	const found = await executor.versions.diff(name, { from, to });
	if (found !== null) return found;
	// One of both is missing, and reading it says which.
	for (const side of [from, to]) if (side !== undefined) await readSide(executor, name, side);
	throw missingSide(name, to ?? requireVersion(described));
}

async function compareFile(
	executor: TenantExecutor,
	described: Described,
	from: Compared["from"] = requireVersion(described),
	{ file, io }: { readonly file: string; readonly io: Io },
): Promise<Compared> {
	const text = readTextFile(resolve(io.cwd, file), file, 2);
	return { from, to: file, ...compareTexts(await readSide(executor, described.name, from), text) };
}

function renderCompared(io: Io, { from, to, ...diff }: Compared): string {
	if (diff.hunks.length === 0) return `${describeSide(from)} and ${describeSide(to)} are equal`;
	const heads = [`--- ${describeSide(from)}`, `+++ ${describeSide(to)}`];
	return [...heads.map((line) => applyStyle(io, "bold", line)), ...renderDiff(io, diff)].join("\n");
}

const describeSide = (side: Compared["to"]): string =>
	typeof side === "number" ? `version ${side}` : side === "draft" ? "the draft" : side;
