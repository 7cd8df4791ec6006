import type { Diagnostic } from "@tripline/contract/workflows";
import { ExecutorRefused, ExecutorUnavailable } from "@tripline/executor/client";
import { requireSetting } from "../config.ts";
import type { Io } from "../io.ts";
import { toServiceProblem } from "../service-problem.ts";
import { createExecutor } from "../services.ts";
import { applyStyle } from "../style.ts";
import type { WorkflowFile } from "../workflow-files.ts";

export interface CheckedFile {
	readonly file: string;
	readonly valid: boolean;
	readonly diagnostics: readonly Diagnostic[];
}

type Checkable = Pick<WorkflowFile, "path" | "source" | "problem">;

export interface Checked {
	readonly checked_by: "service" | "local";
	/** The service's address, or why it was checked locally. */
	readonly by: string;
	readonly files: readonly CheckedFile[];
}

/** Checks with the service. A refused document gets a diagnostic; without an answer the whole check fails. */
export async function checkByService(io: Io, files: readonly Checkable[]): Promise<Checked> {
	return {
		checked_by: "service",
		by: requireSetting(io, "base_url"),
		files: await checkSources(io, files),
	};
}

export async function checkSources(io: Io, files: readonly Checkable[]): Promise<CheckedFile[]> {
	const { workflows } = createExecutor(io);
	const checked: CheckedFile[] = [];
	for (const file of files) {
		checked.push(
			await checkFile(file, async () => {
				try {
					return (await workflows.validate(file.source)).diagnostics;
				} catch (error) {
					if (!(error instanceof ExecutorRefused) || error.status === 401) throw error;
					return [toDiagnostic("refused", toServiceProblem(error, io)?.message ?? error.message)];
				}
			}),
		);
	}
	return checked;
}

/** Checks locally, with the built-in components and bundled recipes only. */
export async function checkLocally(files: readonly WorkflowFile[], why: string): Promise<Checked> {
	const { compileLocally } = await import("./local-compile.ts");
	const checked: CheckedFile[] = [];
	for (const file of files) checked.push(await checkFile(file, () => compileLocally(file.source)));
	return { checked_by: "local", by: why, files: checked };
}

/** Checks with the service, or locally if it does not answer. */
export async function checkWithFallback(io: Io, files: readonly WorkflowFile[]): Promise<Checked> {
	try {
		return await checkByService(io, files);
	} catch (error) {
		if (!(error instanceof ExecutorUnavailable)) throw error;
		const why =
			error.cause === undefined ? error.message : `${requireSetting(io, "base_url")} does not answer`;
		return checkLocally(files, why);
	}
}

async function checkFile(
	file: Checkable,
	compile: () => Promise<readonly Diagnostic[]>,
): Promise<CheckedFile> {
	const diagnostics = file.problem === undefined ? await compile() : [toDiagnostic("bad_json", file.problem)];
	return { file: file.path, valid: !diagnostics.some(({ severity }) => severity === "error"), diagnostics };
}

const toDiagnostic = (code: string, message: string): Diagnostic => ({
	severity: "error",
	code,
	message,
	path: "",
});

/** `file:line:column severity code message`, followed by the hint. */
export function renderDiagnostics(io: Io, files: readonly CheckedFile[]): string[] {
	return files.flatMap(({ file, diagnostics }) =>
		diagnostics.flatMap(({ severity, code, message, path, line, column, hint }) => {
			const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
			const where = line === undefined && path !== "" ? ` (at ${path})` : "";
			const said = `${place} ${applyStyle(io, severity === "error" ? "red" : "yellow", severity)} ${code} ${message}${where}`;
			return hint === undefined ? [said] : [said, `  ${hint}`];
		}),
	);
}

export const countSeverity = (files: readonly CheckedFile[], severity: Diagnostic["severity"]): number =>
	files.flatMap(({ diagnostics }) => diagnostics).filter((each) => each.severity === severity).length;

export const formatCount = (count: number, what: string): string =>
	`${count} ${what}${count === 1 ? "" : "s"}`;
