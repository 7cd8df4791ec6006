import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreatedWebhook } from "@tripline/contract/executor";
import type { HttpRequest } from "@tripline/platform/http";
import { jsonLog } from "@tripline/platform/log";
import { type Service, startService } from "../../apps/node/src/service.ts";
import { parseSettings } from "../../apps/node/src/settings.ts";
import { type Answer, createClient, JSON_TYPE, tenant } from "./client.ts";
import { readFiles } from "./read-files.ts";
import { findSecret } from "./secret-spellings.ts";

interface Sent {
	readonly host: string;
	/** The whole request as the other side sees it, as text. */
	readonly text: string;
}

export type Double = (request: HttpRequest) => {
	status?: number;
	headers?: Record<string, string>;
	body: string;
};

const SERVED = /\.example$|^(?:api\.github|sheets\.googleapis)\.com$/;

/** The real service on real files; external hosts are served here and all requests to them are recorded. */
export async function credentialWorld(environment: Readonly<Record<string, string>>, double: Double) {
	const folder = mkdtempSync(join(tmpdir(), "tripline-credentials-"));
	const lines: string[] = [];
	const answers: string[] = [];
	const sent: Sent[] = [];
	let ahead = 0;
	const clock = { now: () => Date.now() + ahead };
	const service: Service = await startService({
		settings: parseSettings({ PORT: "0", STORE_PORT: "0", DATA_DIR: folder, ...environment }),
		clock,
		log: jsonLog({ level: "debug", clock, write: (line) => lines.push(line) }),
		version: "0.0.0-test",
		reachOutside: (http) => ({
			async send(request, signal) {
				sent.push({ host: request.url.host, text: renderRequest(request) });
				if (!SERVED.test(request.url.hostname)) return http.send(request, signal);
				const { status = 200, headers = {}, body } = double(request);
				return { status, headers, body: new TextEncoder().encode(body) };
			},
			close: () => http.close(),
		}),
	});
	const client = createClient(() => service.publicUrl);

	async function send(owner: string, method: string, path: string, body?: object): Promise<Answer> {
		const answer = await client.call(method, path, {
			headers: [...tenant(owner), ...JSON_TYPE],
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		answers.push(JSON.stringify([answer.status, answer.headers, answer.text]));
		return answer;
	}

	async function put(owner: string, path: string, body: object): Promise<void> {
		const answer = await send(owner, "PUT", path, body);
		assert.ok(answer.status === 201 || answer.status === 200, `${path}: ${answer.text}`);
	}

	/** Creates a webhook from the document and triggers it. Returns the first refusal, if any. */
	async function run(owner: string, document: object, context: object = {}): Promise<Answer> {
		const made = await send(owner, "POST", "/webhooks", document);
		if (made.status !== 201) return made;
		const ran = await send(
			owner,
			"POST",
			`/webhooks/${CreatedWebhook.parse(made.body).token}/trigger`,
			context,
		);
		const id = (ran.body as { execution_id?: string } | undefined)?.execution_id;
		if (id !== undefined) await send(owner, "GET", `/executions/${id}`);
		return ran;
	}

	/** Signs the owner in: gets a link, presses its button and comes back from the service with a code. */
	async function signIn(owner: string, name: string, authRecipe: string, code = "code"): Promise<Answer> {
		const link = await client.call("POST", `/credentials/${name}/sign-in`, { headers: tenant(owner) });
		if (link.status !== 201) return link;
		const started = await client.call("POST", new URL((link.body as { url: string }).url).pathname);
		assert.equal(started.status, 303, started.text);
		const state = new URL(String(started.headers.location)).searchParams.get("state") ?? "";
		const cookie = String(started.headers["set-cookie"]).split(";")[0] ?? "";
		const path = `/oauth/callback/${authRecipe}?${new URLSearchParams({ code, state })}`;
		const answer = await client.call("GET", path, { headers: ["cookie", cookie] });
		answers.push(JSON.stringify([answer.status, answer.headers, answer.text]));
		return answer;
	}

	/** Places where one of the secrets appears but must not. */
	function leaks(secrets: readonly string[]): string[] {
		const files = readFiles(folder);
		assert.ok(
			files.some(([file]) => file === "store.db"),
			files.map(([file]) => file).join(" "),
		);
		const places: (readonly [string, Buffer])[] = [
			...files,
			["the log", Buffer.from(lines.join("\n"))],
			["an answer", Buffer.from(answers.join("\n"))],
		];
		return places.flatMap(([where, bytes]) =>
			secrets.flatMap((secret) => {
				const found = findSecret(bytes, secret);
				return found === null ? [] : [`${where}: ${found}`];
			}),
		);
	}

	return {
		service,
		sent,
		lines,
		answers,
		send,
		put,
		run,
		signIn,
		/** Moves the service's clock. */
		advance(ms: number): void {
			ahead += ms;
		},
		leaks,
		async stop(): Promise<void> {
			client.close();
			await service.close();
		},
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}

function renderRequest({ method, url, headers, body }: HttpRequest): string {
	const sent = body instanceof Uint8Array ? Buffer.from(body).toString("latin1") : (body ?? "");
	return `${method} ${url.href}\n${JSON.stringify(headers)}\n${sent}`;
}

/** A workflow with one node. */
export const one = (settings: object) => ({
	triplets: ["input >> ON_SUCCESS >> only"],
	config: { only: settings },
});
