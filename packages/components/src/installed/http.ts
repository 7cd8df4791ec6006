import type { Json } from "@tripline/contract/json";
import { describeAdding } from "@tripline/engine/add-credential";
import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { SandboxJob } from "@tripline/platform/sandbox";
import type { Effects } from "../effects.ts";
import { readBody } from "../http-request/answer.ts";
import type { OutboundBody } from "../outbound/call.ts";
import { type CodeRequest, readRequest } from "./request.ts";

/** The same number that a trial can record. */
const MAX_CALLS = 20;
/** The sandbox's memory must hold several copies of the response. */
const MAX_RESPONSE_BYTES = 2 * 1_048_576;

interface Declared {
	readonly hosts: readonly string[];
	/** Full ids. */
	readonly authRecipes: readonly string[];
}

/** The code's `http`: limited to the declared hosts; it uses the node's credential only on request. */
export function createSandboxHttp(
	{ effects, signal, node }: NodeCall<Effects>,
	{ hosts, authRecipes }: Declared,
): NonNullable<SandboxJob["http"]> {
	let calls = 0;
	return async (text) => {
		if (++calls > MAX_CALLS) throw new TerminalError(`http can be called at most ${MAX_CALLS} times`);
		const request = readRequest(text);
		const { method, url, query, headers } = request;
		const body = buildBody(request);
		const answer = await effects.http(
			{
				method,
				url,
				...(query === undefined ? {} : { query }),
				...(headers === undefined ? {} : { headers }),
				...(body === undefined ? {} : { body }),
				...(request.use_credential === true ? { credential: pickCredential(node, authRecipes) } : {}),
				authRecipes,
				hosts,
				maxBytes: MAX_RESPONSE_BYTES,
			},
			signal,
		);
		const data: Json = readBody(answer, "auto");
		return JSON.stringify({ status: answer.status, headers: answer.headers, data });
	};
}

function buildBody({ json, form, text }: CodeRequest): OutboundBody | undefined {
	if (json !== undefined) return { kind: "json", value: json };
	if (form !== undefined) return { kind: "form", fields: form };
	return text === undefined ? undefined : { kind: "text", text };
}

function pickCredential({ credential }: NodeCall<Effects>["node"], authRecipes: readonly string[]): string {
	if (authRecipes.length === 0)
		throw new TerminalError("use_credential: the component declares no credentials");
	if (credential !== undefined) return credential;
	throw new TerminalError(
		`needs a credential of ${authRecipes.join(" or ")}: add one ${describeAdding(authRecipes)} (or with PUT /credentials/{name} and "auth_recipe": "${authRecipes[0]}"), then set it as this node's credential`,
	);
}
