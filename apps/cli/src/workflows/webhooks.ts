import type { Diagnostic } from "@tripline/contract/workflows";
import { ExecutorRefused } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import type { Io } from "../io.ts";
import { createExecutor } from "../services.ts";
import { readWorkflowFile } from "../workflow-files.ts";
import { renderDiagnostics } from "./check.ts";
import { renderCurl } from "./curl.ts";

type Webhooks = ReturnType<typeof createExecutor>["webhooks"];
type Webhook = Awaited<ReturnType<Webhooks["list"]>>["webhooks"][number];

export async function list({ io }: Invocation): Promise<Outcome> {
	const webhooks = await listAll(createExecutor(io).webhooks);
	return {
		json: { webhooks },
		text: {
			columns: ["created", "name", "description", "url"],
			rows: webhooks.map(({ created_at, name, description, webhook_url }) => [
				formatTime(created_at),
				name ?? "",
				description,
				webhook_url,
			]),
			empty: "no webhooks with a token; create one with: tripline webhooks create <path>",
		},
	};
}

async function listAll(webhooks: Webhooks): Promise<Webhook[]> {
	const found: Webhook[] = [];
	let cursor: string | undefined;
	do {
		const page = await webhooks.list(cursor);
		found.push(...page.webhooks);
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined);
	return found;
}

export async function create({ io, positionals }: Invocation): Promise<Outcome> {
	const { source, problem, path } = readWorkflowFile(io, positionals.path as string);
	if (problem !== undefined) throw new CliProblem(`${path}: ${problem}`);
	const created = await createExecutor(io)
		.webhooks.create(source)
		.catch((error: unknown) => {
			throw toCompileProblem(io, path, error) ?? error;
		});
	const { webhook_url } = created;
	return { json: created, text: `${webhook_url}\n\n${renderCurl(webhook_url)}` };
}

/** Null if it was refused for another reason. */
function toCompileProblem(io: Io, file: string, error: unknown): CliProblem | null {
	if (!(error instanceof ExecutorRefused) || !Array.isArray(error.answer.diagnostics)) return null;
	const diagnostics = error.answer.diagnostics as Diagnostic[];
	return new CliProblem(error.message, {
		hint: renderDiagnostics(io, [{ file, valid: false, diagnostics }]).join("\n  "),
	});
}

export async function remove({ io, positionals }: Invocation): Promise<Outcome> {
	const token = parseToken(positionals.token as string);
	if (await createExecutor(io).webhooks.delete(token)) return { json: { deleted: true }, text: "revoked" };
	throw new CliProblem("there is no webhook with this token", { hint: "tripline webhooks list shows them" });
}

/** Accepts the whole URL or the token alone. */
const parseToken = (given: string): string => /\/webhooks\/([^/]+)\/trigger\/?$/.exec(given)?.[1] ?? given;
