import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { type WorkflowFile, workflowFiles } from "../workflow-files.ts";
import {
	type Checked,
	type CheckedFile,
	checkedAnyhow,
	checkedLocally,
	counted,
	countOf,
	diagnosticLines,
} from "./check.ts";

export async function run({ positionals, flags, io, progress }: Invocation): Promise<Outcome> {
	const { target } = flags;
	if (target !== undefined && target !== "workers")
		throw new CliProblem(`${JSON.stringify(target)} is not a target`, { code: 2, hint: "--target workers" });
	const files = workflowFiles(io, positionals.path as readonly string[], (path) =>
		progress(`${path}: not a workflow document, skipped`),
	);
	progress(`checking ${counted(files.length, "file")}`);
	const checked =
		flags.local === true ? await checkedLocally(files, "--local") : await checkedAnyhow(io, files);
	const all = target === undefined ? checked.files : await withWorkersLimits(files, checked.files);
	const valid = all.every((file) => file.valid);
	const { checked_by, by } = checked;
	return {
		code: valid ? 0 : 1,
		json: { valid, checked_by, by, files: all },
		text: [...diagnosticLines(io, all), summary(all, checked)].join("\n"),
	};
}

/** Checks only files without errors: the needs of an invalid workflow are not known. */
async function withWorkersLimits(
	files: readonly WorkflowFile[],
	checked: readonly CheckedFile[],
): Promise<CheckedFile[]> {
	const { workersLimits } = await import("./workers-limits.ts");
	return checked.map((each, index) => {
		if (!each.valid) return each;
		const { source } = files[index] as WorkflowFile;
		return { ...each, diagnostics: [...each.diagnostics, ...workersLimits(source)] };
	});
}

function summary(files: readonly CheckedFile[], { checked_by, by }: Checked): string {
	const where =
		checked_by === "service" ? `checked by ${by}` : `checked locally, with bundled components only: ${by}`;
	const [errors, warnings] = [countOf(files, "error"), countOf(files, "warning")];
	const found = [
		...(errors > 0 ? [counted(errors, "error")] : []),
		...(warnings > 0 ? [counted(warnings, "warning")] : []),
	];
	return `${counted(files.length, "file")}: ${found.join(", ") || "ok"} (${where})`;
}
