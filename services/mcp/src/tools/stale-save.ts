import { quoteText, Report } from "@tripline/engine/diagnostics";
import { type DocumentSource, ExecutorRefused, type TenantExecutor } from "@tripline/executor/client";
import { cutDiff, renderDiff } from "./version-diff.ts";

/** Whether the workflow is no longer in the version that the change is based on. */
export const isStale = (error: unknown): error is ExecutorRefused =>
	error instanceof ExecutorRefused && error.status === 412;

/** What has changed since `base`, so that a model can apply its change to the current version. */
export async function describeStale(
	{ answer }: ExecutorRefused,
	source: DocumentSource,
	base: number,
	{ versions }: TenantExecutor,
) {
	const name = await readName(source);
	const current = typeof answer.current_version === "number" ? answer.current_version : null;
	if (current === null) {
		const error = `there is no workflow ${quoteText(name)}`;
		const next =
			"Nothing was saved: it was deleted or renamed. rollback_workflow restores it; without if_version, save_workflow creates it.";
		return { name, version_number: null, diff: null, error, next };
	}
	const compared = await versions.diff(name, { from: base, to: current }).catch(() => null);
	const { part, end } = cutDiff(compared === null ? "" : renderDiff(compared));
	const rest =
		end === null ? "" : ` (the rest: list_versions ${JSON.stringify({ name, from: base, to: current })})`;
	const how =
		compared === null
			? "Read the current version with get_workflow"
			: `Apply the changes in diff${rest} to your document, or read it again with get_workflow`;
	return {
		name,
		version_number: current,
		diff: compared === null ? null : part,
		error: `the workflow has changed: its current version is ${current}, not ${base}`,
		next: `Nothing was saved. ${how}. Then call save_workflow with if_version ${current}.`,
	};
}

/** Only the document says which workflow it is. The executor has compiled it: it has a name, and reading it is bounded. */
async function readName(source: DocumentSource): Promise<string> {
	const value = "json" in source ? source.json : await readYamlText(source.yaml);
	return (value as { name: string }).name;
}

async function readYamlText(text: string): Promise<unknown> {
	const { readYaml } = await import("@tripline/engine/yaml");
	return readYaml(text, new Report()).value;
}
