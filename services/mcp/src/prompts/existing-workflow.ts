import type { WorkflowDocument } from "@tripline/contract/executor";
import type * as z from "zod";
import type { ResourceContent } from "../protocol/content.ts";
import { buildWorkflowContents } from "../resources/read.ts";
import type { ToolContext } from "../tools/tool.ts";

interface ExistingWorkflow {
	readonly document: z.output<typeof WorkflowDocument>;
	/** To be attached to a prompt. */
	readonly contents: readonly ResourceContent[];
	/** Says which version it is, so that a save overwrites no other change. */
	readonly base: string;
}

/** Null if there is no workflow of that name. */
export async function readExisting(
	name: string,
	{ executor: { workflows } }: ToolContext,
): Promise<ExistingWorkflow | null> {
	// Read first, so that the version is never newer than the document.
	const described = await workflows.describe(name);
	if (described === null) return null;
	const [document, yaml] = await Promise.all([workflows.document(name), workflows.writtenText(name)]);
	if (document === null) return null;
	const { version_number } = described;
	return {
		document,
		contents: buildWorkflowContents(document, yaml),
		base: version_number === null ? "" : ` Save your change of it with if_version ${version_number}.`,
	};
}
