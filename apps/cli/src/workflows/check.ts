import type { Diagnostic } from "@tripline/contract/workflows";
import { ExecutorRefused, ExecutorUnavailable } from "@tripline/executor/client";
import { needed } from "../config.ts";
import type { Io } from "../io.ts";
import { serviceProblem } from "../service-problem.ts";
import { executorOf } from "../services.ts";
import { styled } from "../style.ts";
import type { WorkflowFile } from "../workflow-files.ts";

export interface CheckedFile {
	readonly file: string;
	readonly valid: boolean;
	readonly diagnostics: readonly Diagnostic[];
}

export interface Checked {
	readonly checked_by: "service" | "local";
	/** The service's address, or why it was checked locally. */
	readonly by: string;
	readonly files: readonly CheckedFile[];
}

/** Checks with the service. A refused document gets a diagnostic; without an answer the whole check fails. */
export async function checkedByService(io: Io, files: readonly WorkflowFile[]): Promise<Checked> {
	const { workflows } = executorOf(io);
	const checked: CheckedFile[] = [];
	for (const file of files) {
		checked.push(
			await checkedFile(file, async () => {
				try {
					return (await workflows.validate(file.source)).diagnostics;
				} catch (error) {
					if (!(error instanceof ExecutorRefused) || error.status === 401) throw error;
					return [problem("refused", serviceProblem(error, io)?.message ?? error.message)];
				}
			}),
		);
	}
	return { checked_by: "service", by: needed(io, "base_url"), files: checked };
}

/** Checks locally, with the built-in components and bundled recipes only. */
export async function checkedLocally(files: readonly WorkflowFile[], why: string): Promise<Checked> {
	const { localDiagnostics } = await import("./local-compile.ts");
	const checked: CheckedFile[] = [];
	for (const file of files) checked.push(await checkedFile(file, () => localDiagnostics(file.source)));
	return { checked_by: "local", by: why, files: checked };
}

/** Checks with the service, or locally if it does not answer. */
export async function checkedAnyhow(io: Io, files: readonly WorkflowFile[]): Promise<Checked> {
	try {
		return await checkedByService(io, files);
	} catch (error) {
		if (!(error instanceof ExecutorUnavailable)) throw error;
		const why = error.cause === undefined ? error.message : `${needed(io, "base_url")} does not answer`;
		return checkedLocally(files, why);
	}
}

async function checkedFile(
	file: WorkflowFile,
	compile: () => Promise<readonly Diagnostic[]>,
): Promise<CheckedFile> {
	const diagnostics = file.problem === undefined ? await compile() : [problem("bad_json", file.problem)];
	return { file: file.path, valid: !diagnostics.some(({ severity }) => severity === "error"), diagnostics };
}

const problem = (code: string, message: string): Diagnostic => ({
	severity: "error",
	code,
	message,
	path: "",
});

/** `file:line:column severity code message`, followed by the hint. */
export function diagnosticLines(io: Io, files: readonly CheckedFile[]): string[] {
	return files.flatMap(({ file, diagnostics }) =>
		diagnostics.flatMap(({ severity, code, message, path, line, column, hint }) => {
			const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
			const where = line === undefined && path !== "" ? ` (at ${path})` : "";
			const said = `${place} ${styled(io, severity === "error" ? "red" : "yellow", severity)} ${code} ${message}${where}`;
			return hint === undefined ? [said] : [said, `  ${hint}`];
		}),
	);
}

export const countOf = (files: readonly CheckedFile[], severity: Diagnostic["severity"]): number =>
	files.flatMap(({ diagnostics }) => diagnostics).filter((each) => each.severity === severity).length;

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
