import assert from "node:assert/strict";
import { CreatedWebhook } from "@tripline/contract/executor";
import * as z from "zod";

/** Texts that no scrape may contain, each in another place. */
export const CANARIES = {
	tenant: "canary-tenant",
	workflow: "canary-workflow",
	node: "canary_node",
	credential: "canary-credential",
	secret: "canary-secret-3f9d1c",
	input: "canary-input",
	path: "canary-path",
	query: "canary-query",
	error: "canary-error",
	code: "canary-code",
	file: "canary-file",
	event: "canary.event",
} as const;

const compute = (config: object) => ({
	triplets: [`input >> then >> ${CANARIES.node}`],
	config: { [CANARIES.node]: config },
});

/**
 * Makes a service do something of every kind that is counted, with texts that must not show. `outside` is the address of
 * a server that workflows may call. Returns further secrets that the service has made up.
 */
export async function useService(publicUrl: string, outside: string): Promise<readonly string[]> {
	const call = async (
		method: string,
		path: string,
		body?: object | string,
		more: Record<string, string> = {},
	) => {
		const response = await fetch(publicUrl + path, {
			method,
			headers: { "x-service-api-key": CANARIES.tenant, "content-type": "application/json", ...more },
			...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
		});
		return { status: response.status, text: await response.text() };
	};
	const made = async (...request: Parameters<typeof call>) => {
		const { status, text } = await call(...request);
		assert.ok(status < 300, `${request[0]} ${request[1]}: ${status} ${text}`);
		return text;
	};
	const fields = { host: new URL(outside).host, token: CANARIES.secret };
	await made("PUT", `/credentials/${CANARIES.credential}`, { auth_recipe: "bearer_token", fields });
	const calling = compute({
		component: "http_request",
		url: `${outside}/${CANARIES.path}?key=${CANARIES.query}`,
		credential: CANARIES.credential,
	});
	const named = { name: CANARIES.workflow, description: CANARIES.input, version: "1", ...calling };
	await made("POST", "/workflows", named);
	await made("POST", "/workflows", {
		...{ name: `${CANARIES.workflow}-listens`, description: "", version: "1", ...calling },
		trigger: { type: "event", event: CANARIES.event },
	});
	const tokens = await Promise.all(
		[
			compute({ component: "set", values: { of: "{{input.text}}" } }),
			compute({ component: "fail", message: `${CANARIES.error} {{input.text}}` }),
			compute({ component: "code", code: `throw new Error("${CANARIES.code}")` }),
			compute({ component: "code", code: "const all = []; for (;;) all.push(new Array(10_000).fill(0));" }),
			compute({ component: "http_request", url: "http://10.1.2.3/canary-path" }),
			{ ...compute({ component: "wait", for: "1 hour" }), options: { concurrency: 1 } },
		].map(
			async (document) => CreatedWebhook.parse(JSON.parse(await made("POST", "/webhooks", document))).token,
		),
	);
	const input = { text: CANARIES.input };
	for (const token of tokens) await call("POST", `/webhooks/${token}/trigger?q=${CANARIES.query}`, input);
	await made("POST", `/webhooks/named/${CANARIES.workflow}/trigger`, input);
	const accepted = await made("POST", `/webhooks/named/${CANARIES.workflow}/trigger`, input, {
		prefer: "respond-async",
	});
	const { execution_id } = z.object({ execution_id: z.string() }).parse(JSON.parse(accepted));
	await made("POST", "/events", { type: CANARIES.event, data: input });
	const file = await made("POST", `/files?name=${CANARIES.file}`, CANARIES.input, {
		"content-type": "text/plain",
	});
	const { id } = z.object({ id: z.string() }).parse(JSON.parse(file));
	await call("GET", `/${CANARIES.path}?${CANARIES.query}`);
	await call("GET", `/webhooks/${CANARIES.path}`, undefined, { authorization: `Bearer ${CANARIES.secret}` });
	await call("POST", "/mcp", {}, { authorization: `Bearer ${CANARIES.secret}` });
	await waitForEnd(() => made("GET", `/executions/${execution_id}`));
	return [...tokens, execution_id, id, new URL(outside).host];
}

/** The run that was accepted calls outside, so that its steps are recorded. */
async function waitForEnd(read: () => Promise<string>): Promise<void> {
	for (let look = 0; look < 200; look++) {
		if (!/"status":"(?:running|waiting)"/.test(await read())) return;
		await new Promise((resolve) => setTimeout(resolve, 25));
	}
	assert.fail("the run did not end");
}
