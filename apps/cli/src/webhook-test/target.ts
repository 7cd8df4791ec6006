import { type CallFacts, describeCall } from "@tripline/contract/calling/facts";
import { sampleInput } from "@tripline/contract/sample-input";
import type { JsonObject } from "@tripline/contract/workflows";
import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";
import { createExecutor } from "../services.ts";
import { createUnknownWorkflow } from "../workflows/unknown-workflow.ts";

export interface Target {
	/** Null for a URL with a token, whose document cannot be read. */
	readonly name: string | null;
	readonly call: CallFacts;
	/** `options.input_schema`. */
	readonly schema: JsonObject | undefined;
	readonly sample: JsonObject;
}

/** Finds what is called by the name of a workflow or by the URL of a webhook. */
export async function findTarget(io: Io, given: string): Promise<Target> {
	const url = /^https?:\/\//i.test(given) ? parseWebhookUrl(given) : null;
	if (url?.name === null) return buildTarget(null, url.href, {});
	const name = url?.name ?? given;
	const executor = createExecutor(io);
	const [listed, document] = await Promise.all([
		executor.workflows.describe(name),
		executor.workflows.document(name),
	]);
	if (listed === null || document === null)
		throw await createUnknownWorkflow(executor, "webhooks test", name);
	return buildTarget(name, url?.href ?? listed.webhook_url, document);
}

function buildTarget(name: string | null, url: string, document: Parameters<typeof describeCall>[1]): Target {
	const schema = document.options?.input_schema;
	return {
		name,
		call: describeCall(url, document),
		schema,
		sample: schema === undefined ? {} : sampleInput(schema),
	};
}

/** The name is null for a token. */
function parseWebhookUrl(given: string): { readonly href: string; readonly name: string | null } {
	const url = URL.canParse(given) ? new URL(given) : null;
	const named = /\/webhooks\/named\/[^/]+\/([^/]+)\/trigger$/.exec(url?.pathname ?? "");
	const isToken = /\/webhooks\/[^/]+\/trigger$/.test(url?.pathname ?? "");
	if (url === null || (named === null && !isToken))
		throw new CliProblem("this is not the URL of a webhook", {
			code: 2,
			hint: "it ends with /webhooks/<token>/trigger or /webhooks/named/<namespace>/<name>/trigger",
		});
	return { href: url.href, name: named === null ? null : decodeURIComponent(named[1] ?? "") };
}
