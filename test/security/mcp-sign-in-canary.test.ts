import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SignInLink } from "@tripline/contract/credentials";
import { PRIVATE_TYPES } from "@tripline/contract/entry-types";
import { node, platforms, type Target } from "../conformance/platforms.ts";
import { createWorld } from "../conformance/scenario.ts";
import { eventually } from "../conformance/scenarios/executor/eventually.ts";
import { openOAuthMcpHost } from "../conformance/scenarios/executor/oauth-mcp-host.ts";
import { BASE, callBack, followLink } from "../conformance/scenarios/executor/oauth-service.ts";
import { readFiles } from "./read-files.ts";
import { findSecret } from "./secret-spellings.ts";

const GREET = {
	name: "greets",
	description: "",
	version: "1",
	options: { keep: "all" },
	triplets: ["input >> then >> call", "call >> then >> copy"],
	config: {
		call: { component: "mcp:crm.greet", name: "Ada" },
		copy: { component: "set", values: { seen: "{{call}}" } },
	},
};
const READ = [
	...["/mcp-servers", "/mcp-servers/crm", "/credentials", "/auth-recipes", "/auth-recipes/mcp_crm"],
	...["/components", "/components/mcp:crm.greet", "/executions?limit=100", "/oauth/client/mcp_crm"],
];

async function readEntries({ storeUrl }: Target, owner: string): Promise<string> {
	const texts: string[] = [];
	for (const owner_id of [owner, "_system"])
		for (const entry_type of ["execution_log", "workflow", ...PRIVATE_TYPES]) {
			const query = new URLSearchParams({ owner_id, entry_type, limit: "1000" });
			texts.push(await (await fetch(`${storeUrl}/entries?${query}`)).text());
		}
	return texts.join("\n");
}

for (const platform of platforms) {
	describe(`the secrets of a sign-in at an MCP server on ${platform.name}`, () => {
		test("are in no file, log line, entry, kept data or answer", async (t) => {
			const folder = mkdtempSync(join(tmpdir(), "tripline-mcp-sign-in-"));
			const target = await platform.start({});
			t.after(async () => {
				await target.close();
				rmSync(folder, { recursive: true, force: true });
			});
			await target.restart({ BASE_URL: BASE, ...(platform === node && { DATA_DIR: folder }) });
			const world = createWorld(target);
			const host = openOAuthMcpHost(world);
			const secrets = new Map<string, string>();
			const answers: string[] = [];
			const send = async (method: string, path: string, body?: object) => {
				const answer = await world.executor.call(method, path, body === undefined ? {} : { body });
				answers.push(JSON.stringify([answer.status, [...answer.headers], answer.body]));
				return answer;
			};
			const signIn = async (body: object) => {
				const path = "/mcp-servers/crm/sign-in";
				const { url } = await world.executor.expect(201, SignInLink, "POST", path, { body });
				const { location, state, cookie } = await followLink(world, url);
				const code = host.authorize(location);
				const nth = secrets.size;
				secrets.set(`ticket ${nth}`, url.split("/").at(-1) ?? "").set(`state ${nth}`, state);
				secrets.set(`code ${nth}`, code).set(`cookie ${nth}`, cookie.split("=")[1] ?? "");
				const done = await callBack(world, { code, state }, { cookie, recipe: "mcp_crm" });
				assert.equal(done.status, 200);
				answers.push(JSON.stringify([[...done.headers], done.body]));
			};
			const run = async (isDone: boolean) => {
				const ran = await send("POST", "/webhooks/named/greets/trigger", {});
				assert.equal(ran.status === 200, isDone, JSON.stringify(ran.body));
				const { execution_id } = ran.body as { execution_id: string };
				await send("GET", `/executions/${execution_id}`);
				await send("GET", `/executions/${execution_id}/data`);
			};

			await signIn({ url: host.url });
			await eventually(async () => assert.equal((await send("GET", "/mcp-servers/crm")).status, 200));
			assert.equal((await send("POST", "/workflows", GREET)).status, 201);
			await run(true);
			host.state.isRevoked = true;
			await run(true);
			host.state.scope = "write";
			await run(false);
			await signIn({ scope: "write" });
			await run(true);
			host.state.isRevoked = true;
			host.state.refusesRenewal = true;
			await run(false);
			await send("POST", "/mcp-servers/crm/refresh");
			await send("POST", "/mcp-servers/crm/sign-in", {
				client_id: "own",
				client_secret: "secret-canary-of-the-owner",
			});
			for (const path of READ) await send("GET", path);

			secrets.set("registered secret", `secret-canary-${world.owner}`);
			secrets.set("given secret", "secret-canary-of-the-owner");
			for (const sent of host.listSent("/token"))
				for (const name of ["code_verifier", "refresh_token"])
					if (sent.has(name)) secrets.set(`${name} ${secrets.size}`, sent.get(name) ?? "");
			for (const { headers } of host.server.seen)
				if (headers.authorization?.startsWith("Bearer "))
					secrets.set(`access token ${headers.authorization}`, headers.authorization.slice(7));
			const places: (readonly [string, Buffer])[] = [
				["the log", Buffer.from(JSON.stringify(await target.lines()))],
				["an entry", Buffer.from(await readEntries(target, world.owner))],
				["an answer", Buffer.from(answers.join("\n"))],
				...readFiles(folder),
			];
			const found = places.flatMap(([where, bytes]) =>
				[...secrets].flatMap(([name, secret]) => {
					const how = findSecret(bytes, secret);
					return how === null ? [] : [`${name} in ${where}, ${how}`];
				}),
			);
			t.diagnostic(`${secrets.size} secrets in ${places.length} places, ${answers.length} answers`);
			assert.deepEqual(found, []);
			for (const kind of ["access token", "refresh_token", "code_verifier"])
				assert.ok(
					[...secrets.keys()].some((name) => name.startsWith(kind)),
					kind,
				);
			// What the server echoed proves that the search sees what runs return.
			assert.ok(answers.some((answer) => answer.includes("[redacted]")));
			if (platform === node) assert.ok(places.length > 4);
		});
	});
}
