import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as oauth from "oauth4webapi";
import { eventually } from "../../services/executor/test/deployment.ts";
import { platforms, type Target } from "../conformance/platforms.ts";
import { TOOLS } from "../conformance/scenarios/mcp/surface.ts";
import { OWNER_SECRET } from "./owner.ts";
import { type Login, logInWithSdk } from "./sdk-login.ts";
import { confineTo, type Ended, findFreePort, runProgram, withHome } from "./spawn.ts";
import { logInStrictly, OVER_HTTP, requestToken } from "./strict-client.ts";

const INSPECTOR = import.meta.resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const REMOTE_CLIENT = import.meta.resolve("mcp-remote/dist/client.js");
const REMOTE = import.meta.resolve("mcp-remote/dist/proxy.js");

const ERAS: Readonly<Record<string, readonly [mode: VersionNegotiationMode, revision: string]>> = {
	modern: [{ pin: "2026-07-28" }, "2026-07-28"],
	legacy: ["legacy", "2025-11-25"],
	auto: ["auto", "2026-07-28"],
};

const buildGreeting = (name: string) => ({
	name,
	description: "Says hello",
	version: "1",
	options: {
		expose: true,
		input_schema: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
	},
	triplets: ["input >> then >> hello"],
	config: { hello: { component: "template", text: "Hello {{input.name}}" } },
});

const buildNoted = (name: string) => `# Somebody asked for it.
name: ${name} # the name
description: Says hello
version: '1'
triplets: [input >> then >> hello]
config:
  hello: { component: template, text: "Hello {{input.name}}" }
`;

const buildWaiting = (name: string, ms: number) => ({
	name,
	description: "Takes its time",
	version: "1",
	triplets: ["input >> then >> pause"],
	config: { pause: { component: "wait", ms } },
});

for (const platform of platforms) {
	describe(`real clients on ${platform.name}`, { concurrency: true }, () => {
		let target: Target;
		before(async () => {
			target = await platform.start({ MCP_OWNER_SECRET: OWNER_SECRET });
		});
		after(() => target.close());

		for (const [era, [mode, revision]] of Object.entries(ERAS)) {
			describe(`the official client, ${era}`, { concurrency: false }, () => {
				const greet = `greet_${era}`;
				const slow = `slow_${era}`;
				let login: Login;
				let client: Client;
				before(async () => {
					login = await logInWithSdk(target.publicUrl, mode);
					client = await login.connected();
				});
				after(() => client.close());

				const callStructured = async <T>(name: string, args: Record<string, unknown>): Promise<T> => {
					const { structuredContent, isError, content } = await client.callTool({ name, arguments: args });
					assert.notEqual(isError, true, JSON.stringify(content));
					return structuredContent as T;
				};

				test(`logs in by itself and speaks ${revision}`, (t) => {
					assert.equal(client.getNegotiatedProtocolVersion(), revision);
					const [way, requests] = [login.steps, new Set(login.steps)];
					assert.equal(way[0], "POST /mcp 401");
					for (const step of [
						"GET /.well-known/oauth-protected-resource 200",
						"GET /.well-known/oauth-authorization-server 200",
						"POST /register 201",
						"POST /token 200",
						"POST /mcp 200",
					])
						assert.ok(requests.has(step), `${step} is not among ${way.join(", ")}`);
					t.diagnostic(`${way.join("\n")}\nspeaks ${client.getNegotiatedProtocolVersion()}`);
				});

				test("saves a workflow, finds it among the tools, and runs it in both ways", async (t) => {
					const saved = await callStructured<{ saved: boolean }>("save_workflow", {
						document: buildGreeting(greet),
					});
					assert.equal(saved.saved, true);
					const { tools } = await client.listTools();
					const names = tools.map(({ name }) => name);
					assert.deepEqual(names.slice(0, TOOLS.length), TOOLS);
					assert.ok(names.includes(`run_${greet}`));

					const heard: string[] = [];
					const { structuredContent } = await client.callTool(
						{ name: "run_workflow", arguments: { name: greet, input: { name: "Ada" } } },
						{ onprogress: ({ progress, total, message }) => heard.push(`${progress}/${total} ${message}`) },
					);
					const run = structuredContent as { data: string; execution_id: string };
					assert.equal(run.data, "Hello Ada");
					assert.deepEqual(heard, [`0/1 Running ${greet}`, "1/1 The run succeeded"]);
					const exposed = await callStructured<{ data: string }>(`run_${greet}`, { name: "Grace" });
					assert.equal(exposed.data, "Hello Grace");
					const recent = await listRecentRuns(greet, 2);
					assert.ok(recent.some(({ execution_id }) => execution_id === run.execution_id));
					t.diagnostic(`tools/list: ${names.length} tools\nrun_workflow: ${heard.join(", ")}, ${run.data}`);
				});

				test("saves a bad version, reads the diff and rolls back", async (t) => {
					const name = `noted_${era}`;
					const document = buildNoted(name);
					await callStructured("save_workflow", { document });
					const read = await callStructured<Read>("get_workflow", { name });
					const bad = document.replace("Hello", "Go away,").replace(/ # .*/, "");
					const change = { document: bad, if_version: read.version_number };
					assert.equal((await callStructured<Read>("save_workflow", change)).version_number, 2);
					const stale = await client.callTool({ name: "save_workflow", arguments: change });
					const refused = stale.structuredContent as { saved: boolean; diff: string };
					assert.deepEqual([stale.isError, refused.saved], [true, false]);
					const { diff } = await callStructured<{ diff: string }>("list_versions", { name, from: 1, to: 2 });
					assert.equal(refused.diff, diff);
					assert.match(diff, /\n- {2}hello: .*Hello.*\n\+ {2}hello: .*Go away/);
					await callStructured("rollback_workflow", { name, version_number: 1 });
					assert.equal((await callStructured<Read>("get_workflow", { name })).yaml, document);
					const { versions } = await callStructured<{ versions: Version[] }>("list_versions", { name });
					assert.deepEqual(
						versions.map(({ version_number, client }) => [version_number, client]),
						[3, 2, 1].map((number) => [number, "The official client"]),
					);
					await callStructured("delete_workflow", { name });
					await callStructured("rollback_workflow", { name });
					assert.equal((await callStructured<Read>("get_workflow", { name })).yaml, document);
					t.diagnostic(diff);
				});

				test("reads resources and gets a prompt", async () => {
					await callStructured("save_workflow", { document: buildGreeting(`${greet}_read`) });
					const { resources } = await client.listResources();
					assert.ok(resources.some(({ uri }) => uri === "tripline://guide/language"));
					const uri = `tripline://workflows/${greet}_read`;
					const { contents } = await client.readResource({ uri });
					assert.match(JSON.stringify(contents), /Hello \{\{input\.name\}\}/);
					const args = { goal: "Greet everybody", name: `${greet}_read` };
					const { messages } = await client.getPrompt({ name: "write_workflow", arguments: args });
					assert.match(JSON.stringify(messages), /Greet everybody/);
				});

				test("cancels a run by disconnecting", async () => {
					// workerd notices a disconnect only when it writes to the caller, and nothing is written during a run.
					const goesOn = target.isolatesRequests;
					await callStructured("save_workflow", { document: buildWaiting(slow, goesOn ? 1_000 : 25_000) });
					const other = await login.connected();
					const abort = new AbortController();
					const running = Promise.withResolvers<void>();
					const call = other.callTool(
						{ name: "run_workflow", arguments: { name: slow } },
						{ signal: abort.signal, onprogress: () => running.resolve() },
					);
					await running.promise;
					await pause(300);
					abort.abort("enough");
					await assert.rejects(call, /enough/);
					await other.close();
					const [run] = await listRecentRuns(slow, 1);
					assert.deepEqual([run?.verdict, run?.error], goesOn ? ["success", ""] : ["failed", "cancelled"]);
				});

				const listRecentRuns = (workflow: string, count: number) =>
					eventually(async () => {
						const { executions } = await callStructured<{ executions: readonly Run[] }>(
							"list_recent_executions",
							{ workflow },
						);
						assert.equal(executions.length, count);
						return executions;
					});
			});
		}

		test("a strict client discovers, registers, logs in, calls and revokes", async (t) => {
			const { endpoint, resource, server, client, iss, granted } = await logInStrictly(target.publicUrl);
			assert.equal(resource, endpoint.href);
			assert.equal(iss, server.issuer);
			const call = () =>
				fetch(endpoint, {
					method: "POST",
					headers: { authorization: `Bearer ${granted.access_token}`, "content-type": "application/json" },
					body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
				});
			assert.equal((await call()).status, 200);
			await oauth.processRevocationResponse(
				await oauth.revocationRequest(server, client, oauth.None(), granted.access_token, OVER_HTTP),
			);
			const refused = await eventually(async () => {
				const response = await call();
				assert.equal(response.status, 401);
				return response;
			});
			assert.equal(
				refused.headers.get("www-authenticate"),
				`Bearer resource_metadata="${target.publicUrl}/.well-known/oauth-protected-resource"`,
			);
			t.diagnostic(
				`resource ${resource}, issuer ${server.issuer}\nregistered without a secret, iss matches\n${granted.token_type} for ${granted.expires_in} s: POST /mcp 200, revoked: 401`,
			);
		});

		test("the Inspector lists, calls, reads and prompts with a token", async (t) => {
			const header = `Authorization: Bearer ${await requestToken(target.publicUrl)}`;
			const inspect = (...args: string[]) => runInspector(t, [...args, "--header", header]);
			const [listed, called, resources, prompt] = await Promise.all([
				inspect("--method", "tools/list", "--strict"),
				inspect("--method", "tools/call", "--tool-name", "get_component", "--tool-arg", "id=template"),
				inspect("--method", "resources/list"),
				inspect(
					...["--method", "prompts/get", "--prompt-name", "write_workflow"],
					...["--prompt-args", "goal=Greet everybody"],
				),
			]);
			assert.deepEqual(parseNames(listed.stdout).slice(0, TOOLS.length), TOOLS);
			assert.match(listed.stderr, /^0 errors, /m);
			const { structuredContent, isError } = JSON.parse(called.stdout) as Called;
			assert.notEqual(isError, true);
			assert.equal(structuredContent.id, "template");
			assert.match(resources.stdout, /tripline:\/\/guide\/language/);
			assert.match(prompt.stdout, /Greet everybody/);
		});

		test("the Inspector logs in by itself", async (t) => {
			const callback = `http://127.0.0.1:${await findFreePort()}/oauth/callback`;
			const { stdout } = await runInspector(t, ["--method", "tools/list", "--callback-url", callback]);
			assert.deepEqual(parseNames(stdout).slice(0, TOOLS.length), TOOLS);
		});

		test("mcp-remote logs in by itself, and then connects a stdio client", async (t) => {
			await withHome(async (home) => {
				const args = [`${target.publicUrl}/mcp`, String(await findFreePort())];
				const said = await runProgram([REMOTE_CLIENT, ...args], { home, issuer: target.publicUrl });
				assert.equal(said.code, 0, said.stderr);
				const log = said.stdout + said.stderr;
				for (const name of TOOLS) assert.ok(log.includes(`"name": "${name}"`), name);
				transcribe(t, `mcp-remote-client ${args[0]}`, log, /auth|connect|Exiting/i);

				const client = new Client({ name: "test", version: "1" });
				const proxy = [fileURLToPath(REMOTE), ...args];
				await client.connect(
					new StdioClientTransport({
						command: process.execPath,
						args: proxy,
						env: confineTo(home),
						stderr: "ignore",
					}),
				);
				try {
					const { tools } = await client.listTools();
					assert.deepEqual(
						tools.slice(0, TOOLS.length).map(({ name }) => name),
						TOOLS,
					);
					t.diagnostic(`mcp-remote on standard input: ${tools.length} tools`);
				} finally {
					await client.close();
				}
			});
		});

		const runInspector = (t: TestContext, args: readonly string[]): Promise<Ended> =>
			withHome(async (home) => {
				const ended = await runProgram(
					[INSPECTOR, "--cli", `${target.publicUrl}/mcp`, "--transport", "http", ...args],
					{ home, issuer: target.publicUrl, env: { MCP_AUTO_OPEN_ENABLED: "true" } },
				);
				assert.equal(ended.code, 0, ended.stderr);
				const shown = args.filter((arg) => !/^(?:--header|Authorization: .*)$/.test(arg)).join(" ");
				transcribe(t, `mcp-inspector --cli ${target.publicUrl}/mcp ${shown}`, ended.stderr, /auth|errors/i);
				t.diagnostic(`exit ${ended.code}, ${ended.stdout.length} characters of JSON`);
				return ended;
			});
	});
}

interface Read {
	readonly version_number: number;
	readonly yaml: string | null;
}

interface Version {
	readonly version_number: number;
	readonly client: string;
}

interface Run {
	readonly execution_id: string;
	readonly verdict: string;
	readonly error: string;
}

interface Called {
	readonly structuredContent: { readonly id: string };
	readonly isError?: boolean;
}

/** The Inspector may print other text before the JSON. */
const parseNames = (stdout: string): string[] =>
	(JSON.parse(stdout.slice(stdout.indexOf("{"))) as { tools: { name: string }[] }).tools.map(
		({ name }) => name,
	);

/** Logs the relevant lines of a client's output, without values that change from run to run. */
function transcribe(t: TestContext, command: string, said: string, wanted: RegExp): void {
	const lines = said.split("\n").filter((line) => !/^\s/.test(line) && wanted.test(line));
	t.diagnostic([`$ ${command}`, ...lines.map((line) => line.replace(/\?\S*/, "?…"))].join("\n"));
}
