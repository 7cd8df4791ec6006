import type { WorkflowDiff } from "@tripline/contract/workflow-versions";
import type { TenantExecutor } from "@tripline/executor/client";
import type { Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import type { Io } from "../io.ts";
import { quoteWord } from "../quote-word.ts";
import { applyStyle } from "../style.ts";
import { renderDiff } from "../versions/render-diff.ts";
import { type Checked, countSeverity, formatCount, renderDiagnostics } from "./check.ts";
import type { PlannedPush } from "./push-plan.ts";

interface Conflict {
	readonly name: string;
	readonly file: string;
	/** The version that was last pulled or pushed. */
	readonly base: number;
	/** The current version; null if it was deleted. */
	readonly current: number | null;
	/** Who made the current version, by what and when. */
	readonly by: string | null;
	/** What changed between both; null if it is not known. */
	readonly diff: WorkflowDiff | null;
}

/** Some documents do not compile. */
export function refuseInvalid(io: Io, { files }: Checked): Outcome {
	const error = `nothing was pushed: ${formatCount(countSeverity(files, "error"), "error")} in ${formatCount(files.filter(({ valid }) => !valid).length, "file")}`;
	return {
		code: 1,
		json: { error, hint: null, workflows: [], files },
		text: [...renderDiagnostics(io, files), error].join("\n"),
	};
}

/** Some workflows were changed at the service; says what changed there, and how to go on. */
export async function refuseConflicts(
	io: Io,
	executor: TenantExecutor,
	planned: readonly PlannedPush[],
): Promise<Outcome> {
	const conflicts: Conflict[] = [];
	for (const each of planned) conflicts.push(await describeConflict(executor, each));
	const error = `nothing was pushed: ${formatCount(conflicts.length, "workflow")} changed at the service since you pulled`;
	const names = conflicts.map(({ name }) => quoteWord(name)).join(" ");
	const hint = `to take these changes: commit or move yours, then tripline pull ${names} --force; to overwrite them: push with --force`;
	return {
		code: 1,
		json: { error, hint, workflows: [], conflicts },
		text: [...conflicts.flatMap((each) => renderConflict(io, each)), error, `  ${hint}`].join("\n"),
	};
}

async function describeConflict(
	{ versions }: TenantExecutor,
	{ name, file, base, current }: PlannedPush,
): Promise<Conflict> {
	const about = { name, file: file.path, base: base?.version as number, current };
	if (current === null) return { ...about, by: null, diff: null };
	const [newest] = (await versions.list(name, { limit: 1 }))?.versions ?? [];
	const diff = await versions.diff(name, { from: about.base, to: current });
	const by =
		newest &&
		`${newest.author ?? "unknown"} by ${newest.client ?? "unknown"} at ${formatTime(newest.created_at)}`;
	return { ...about, by: by ?? null, diff };
}

function renderConflict(io: Io, { name, file, base, current, by, diff }: Conflict): string[] {
	const what =
		current === null
			? `deleted at the service; ${file} is based on version ${base}`
			: `version ${current} is deployed${by === null ? "" : ` (${by})`}; ${file} is based on version ${base}`;
	return [applyStyle(io, "bold", `${name}: ${what}`), ...(diff === null ? [] : renderDiff(io, diff))];
}
