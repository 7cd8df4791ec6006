import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { readWorkflowFiles, type WorkflowFile } from "../workflow-files.ts";
import {
	type Checked,
	type CheckedFile,
	checkLocally,
	checkWithFallback,
	countSeverity,
	formatCount,
	renderDiagnostics,
} from "./check.ts";

export async function run({ positionals, flags, io, progress }: Invocation): Promise<Outcome> {
	const { target } = flags;
	if (target !== undefined && target !== "workers")
		throw new CliProblem(`${JSON.stringify(target)} is not a target`, { code: 2, hint: "--target workers" });
	const files = readWorkflowFiles(io, positionals.path as readonly string[], (path) =>
		progress(`${path}: not a workflow document, skipped`),
	);
	progress(`checking ${formatCount(files.length, "file")}`);
	const checked =
		flags.local === true ? await checkLocally(files, "--local") : await checkWithFallback(io, files);
	const all = target === undefined ? checked.files : await addWorkersLimits(files, checked.files);
	const valid = all.every((file) => file.valid);
	const { checked_by, by } = checked;
	return {
		code: valid ? 0 : 1,
		json: { valid, checked_by, by, files: all },
		text: [...renderDiagnostics(io, all), renderSummary(all, checked)].join("\n"),
	};
}

/** Checks only files without errors: the needs of an invalid workflow are not known. */
async function addWorkersLimits(
	files: readonly WorkflowFile[],
	checked: readonly CheckedFile[],
): Promise<CheckedFile[]> {
	const { checkWorkersLimits } = await import("./workers-limits.ts");
	return checked.map((each, index) => {
		if (!each.valid) return each;
		const { source } = files[index] as WorkflowFile;
		return { ...each, diagnostics: [...each.diagnostics, ...checkWorkersLimits(source)] };
	});
}

function renderSummary(files: readonly CheckedFile[], { checked_by, by }: Checked): string {
	const where =
		checked_by === "service" ? `checked by ${by}` : `checked locally, with bundled components only: ${by}`;
	const [errors, warnings] = [countSeverity(files, "error"), countSeverity(files, "warning")];
	const found = [
		...(errors > 0 ? [formatCount(errors, "error")] : []),
		...(warnings > 0 ? [formatCount(warnings, "warning")] : []),
	];
	return `${formatCount(files.length, "file")}: ${found.join(", ") || "ok"} (${where})`;
}
