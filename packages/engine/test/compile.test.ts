import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StoredCredentials } from "../src/compile/credentials.ts";
import { compile, compileSource } from "../src/compile.ts";
import { yamlSource } from "../src/yaml.ts";
import { catalogue } from "./catalogue.ts";

const compileJson = (json: unknown, credentials?: StoredCredentials) =>
	compileSource({ json }, { named: false, catalogue, ...(credentials && { credentials }) });

/** A workflow whose nodes are all `set`, unless the config says otherwise. */
function flow(triplets: readonly string[], config: Readonly<Record<string, object>> = {}, more: object = {}) {
	const names = triplets.flatMap((triplet) => [triplet.split(" >> ")[0], triplet.split(" >> ")[2]]);
	const nodes = names.filter((name) => name !== undefined && name !== "input") as string[];
	const components = Object.fromEntries(nodes.map((name) => [name, { component: "set", ...config[name] }]));
	return compileJson({ triplets, config: components, ...more });
}

const listDiagnostics = ({ diagnostics }: ReturnType<typeof compileJson>) =>
	diagnostics.map(({ code, path }) => (path === "" ? code : `${code} ${path}`));

const getOnly = (result: ReturnType<typeof compileJson>) => {
	assert.equal(result.diagnostics.length, 1, JSON.stringify(result.diagnostics));
	return result.diagnostics[0];
};

describe("compiling", () => {
	test("gives a plan in the order of the graph", () => {
		const { plan, diagnostics } = flow([
			"input >> then >> a",
			"a >> CASE 1 >> b",
			"a >> ON_FAIL >> c",
			"c >> then >> b",
		]);
		assert.deepEqual(diagnostics, []);
		assert.deepEqual(
			plan?.nodes.map(({ id, place, incoming, fromInput, edges, concurrency, onItemError }) => ({
				id,
				place,
				incoming,
				fromInput,
				edges,
				concurrency,
				onItemError,
			})),
			[
				{
					id: "a",
					place: 0,
					incoming: 0,
					fromInput: true,
					edges: [
						{ to: 1, on: "CASE", value: "1" },
						{ to: 2, on: "ON_FAIL" },
					],
					concurrency: 8,
					onItemError: "stop",
				},
				{ id: "b", place: 1, incoming: 2, fromInput: false, edges: [], concurrency: 8, onItemError: "stop" },
				{
					id: "c",
					place: 2,
					incoming: 1,
					fromInput: false,
					edges: [{ to: 1, on: "ON_SUCCESS" }],
					concurrency: 8,
					onItemError: "stop",
				},
			],
		);
		assert.deepEqual(plan?.region, { members: [0, 1, 2], starts: [0] });
	});

	test("keeps the settings of a node", () => {
		const settings = {
			component: "http_request",
			url: "https://example.com",
			credential: "api",
			retry: { max: 3, factor: 2 },
			timeout_ms: 100,
			concurrency: 2,
			on_item_error: "collect",
		};
		const node = flow(["input >> then >> a"], { a: settings }).plan?.nodes[0];
		assert.deepEqual(
			[node?.credential, node?.retry, node?.timeoutMs, node?.concurrency, node?.onItemError],
			["api", settings.retry, 100, 2, "collect"],
		);
	});

	test("reports everything in one pass, in the order of the source", () => {
		const yaml = `name: orders
trigger: { type: schedule, cron: "0 9 * *" }
flow:
  - fetch >> ON_SUCCESS >> check
  - check >> ON_TRUE >> save
  - check >> ON_TRUE >> save
config:
  fetch: { component: http_request, uri: "https://example.com" }
  check: { component: if, condition: "fetch.status == " }
  save: { component: sett, values: "{{chek}}" }
`;
		const { diagnostics, plan } = compileSource(yamlSource(yaml), { named: true, catalogue });
		assert.equal(plan, null);
		assert.deepEqual(
			diagnostics.map(({ code, path, line }) => `${line} ${code} ${path}`),
			[
				"1 bad_field description",
				"1 bad_field version",
				"2 bad_cron trigger.cron",
				"6 duplicate_edge flow.2",
				"8 missing_parameter config.fetch.url",
				"8 unknown_parameter config.fetch.uri",
				"9 bad_expression config.check.condition",
				"10 unknown_component config.save.component",
				"10 unknown_reference config.save.values",
			],
		);
	});

	test("without positions points into the definition", () => {
		const { definition } = compileJson({
			triplets: ["a >> then >> b"],
			config: { a: { component: "set", x: 1 } },
		});
		assert.ok(definition !== null);
		assert.deepEqual(listDiagnostics({ ...compile(definition, { catalogue }), definition, triplets: null }), [
			"unknown_parameter graph.nodes.0.params.x",
			"unknown_component graph.nodes.1.component",
		]);
	});

	test("locates a node without settings at its triplet, with the path of its settings", () => {
		const yaml = "flow:\n  - set >> then >> http_request\n  - set >> then >> tea\n";
		const { diagnostics } = compileSource(yamlSource(yaml), { named: false, catalogue });
		assert.deepEqual(
			diagnostics.map(({ code, path, line, column, hint }) => ({ code, path, line, column, hint })),
			[
				{ code: "missing_parameter", path: "config.http_request.url", line: 2, column: 20, hint: undefined },
				{
					code: "unknown_component",
					path: "flow.1",
					line: 3,
					column: 20,
					hint: "Set config.tea.component",
				},
			],
		);
	});

	test("lists nodes with unknown components and those components", () => {
		const result = flow(["a >> then >> b", "b >> then >> c"], {
			a: { component: "sett" },
			b: { component: "sett" },
		});
		assert.deepEqual(listDiagnostics(result), [
			"unknown_component config.a.component",
			"unknown_component config.b.component",
		]);
		assert.deepEqual([result.missing, result.components], [["a", "b"], ["sett"]]);
		assert.equal(result.diagnostics[0]?.hint, 'Did you mean "set"?');
	});

	test("reports a cycle with its path at the edge that closes it", () => {
		const diagnostic = getOnly(
			flow(["b >> then >> c", "a >> then >> b", "c >> ON_FAIL >> b", "c >> then >> d"]),
		);
		assert.equal(diagnostic?.code, "cycle");
		assert.match(diagnostic?.message ?? "", /: b >> c >> b$/);
		assert.equal(diagnostic?.path, "triplets.2");
		assert.match(getOnly(flow(["a >> ON_FAIL >> a"]))?.message ?? "", /: a >> a$/);
	});

	test("reports every separate cycle", () => {
		const result = flow(["a >> then >> b", "b >> then >> a", "x >> then >> y", "y >> then >> x"]);
		assert.deepEqual(listDiagnostics(result), ["cycle triplets.1", "cycle triplets.3"]);
	});

	test("rejects reserved names", () => {
		assert.deepEqual(listDiagnostics(flow(["context >> then >> b"])), ["reserved_name triplets.0"]);
		assert.deepEqual(listDiagnostics(compileJson({ triplets: ["nodes >> then >> set"] })), [
			"reserved_name triplets.0",
			"unknown_component triplets.0",
		]);
		assert.deepEqual(listDiagnostics(flow(["a >> then >> input"])), ["reserved_name triplets.0"]);
	});

	test("rejects conditions on the trigger", () => {
		assert.deepEqual(listDiagnostics(flow(["input >> ON_TRUE >> a", "input >> FOREACH x >> b"])), [
			"bad_edge triplets.0",
			"bad_edge triplets.1",
		]);
	});

	test("rejects an edge to an unknown node", () => {
		const nodes = [{ id: "fetch", component: "set" }];
		const diagnostic = getOnly(compileJson({ nodes, edges: [{ from: "fetch", to: "fetsh" }] }));
		assert.deepEqual([diagnostic?.code, diagnostic?.path], ["unknown_reference", "edges.0.to"]);
		assert.equal(diagnostic?.hint, 'Did you mean "fetch"?');
	});

	test("rejects an empty workflow and one that is too large", () => {
		assert.deepEqual(listDiagnostics(compileJson({ triplets: [] })), ["no_nodes triplets"]);
		const graph = { nodes: [], edges: [] };
		const empty = compile({ graph, context: {}, options: {} }, { catalogue });
		assert.deepEqual(
			empty.diagnostics.map(({ code }) => code),
			["no_nodes"],
		);
		const many = Array.from({ length: 1001 }, (_, index) => `input >> then >> n${index}`);
		assert.deepEqual(listDiagnostics(compileJson({ triplets: many })), ["too_large"]);
		const edges = Array.from({ length: 10_001 }, (_, index) => `a >> CASE ${index} >> b`);
		assert.deepEqual(listDiagnostics(compileJson({ triplets: edges })), ["too_large"]);
	});

	test("checks what the trigger polls as a node of the trigger", () => {
		const poll = (poll: object, trigger: object = {}) => {
			const fields = { trigger: { type: "schedule", cron: "@hourly", poll, ...trigger } };
			return listDiagnostics(flow(["input >> then >> a"], {}, fields));
		};
		const fits = { operation: "http_request", params: { url: "https://a.example" }, key: "id" };
		assert.deepEqual(poll(fits), []);
		assert.deepEqual(poll({ ...fits, params: { url: "https://a.example/{{input.scheduled_at}}" } }), []);
		assert.deepEqual(poll({ ...fits, operation: "http_requst" }), [
			"unknown_component trigger.poll.operation",
		]);
		assert.deepEqual(poll({ ...fits, params: {} }), ["missing_parameter trigger.poll.params.url"]);
		assert.deepEqual(poll({ ...fits, params: { url: "{{a.x}}" } }), [
			"unknown_reference trigger.poll.params.url",
		]);
		assert.deepEqual(poll({ ...fits, key: "a b" }), ["bad_poll trigger.poll.key"]);
		assert.deepEqual(poll({ ...fits, items: "__proto__" }), ["bad_poll trigger.poll.items"]);
		assert.deepEqual(poll({ operation: "set", params: { values: {} }, key: "id" }), [
			"bad_poll trigger.poll.operation",
		]);
		assert.deepEqual(poll(fits, { overlap: "skip" }), ["bad_poll trigger.overlap"]);
		assert.deepEqual(poll(fits, { type: "webhook", cron: undefined }), ["bad_poll trigger.poll"]);
	});

	test("checks what a trigger says about mails", () => {
		const email = (more: object, trigger: object = {}) =>
			listDiagnostics(
				flow(
					["input >> then >> a"],
					{},
					{ trigger: { type: "event", email: { credential: "box", ...more }, ...trigger } },
				),
			);
		assert.deepEqual(
			email({ from: ["@example.com", "ada@example.org"], move_to: "Done", max_size: 1_000 }),
			[],
		);
		assert.deepEqual(email({}, { overlap: "queue" }), []);
		assert.deepEqual(email({}, { overlap: "skip" }), ["bad_email trigger.overlap"]);
		assert.deepEqual(email({}, { type: "webhook" }), ["bad_email trigger.email"]);
		assert.deepEqual(email({}, { event: "order.*" }), ["bad_email trigger.event"]);
		assert.deepEqual(email({ from: "ada" }), ["bad_email trigger.email.from"]);
		assert.deepEqual(email({ from: ["a@b.example", "a@b@c"] }), ["bad_email trigger.email.from.1"]);
		assert.deepEqual(email({ mailbox: "a\r\nb" }), ["bad_email trigger.email.mailbox"]);
		assert.deepEqual(email({ move_to: "inbox" }), ["bad_email trigger.email.move_to"]);
		assert.deepEqual(email({ folder: "INBOX" }), ["unknown_field trigger.email.folder"]);
		assert.deepEqual(email({ max_size: 1e9 }), ["bad_field trigger.email.max_size"]);
		assert.deepEqual(email({ credential: undefined }), ["bad_field trigger.email.credential"]);
	});

	test("checks the trigger", () => {
		const trigger = (trigger: object) => listDiagnostics(flow(["input >> then >> a"], {}, { trigger }));
		assert.deepEqual(trigger({ type: "schedule", cron: "*/5 * * * *", timezone: "Europe/Paris" }), []);
		assert.deepEqual(trigger({ type: "schedule", cron: "@daily" }), []);
		assert.deepEqual(trigger({ type: "event", event: "order.*" }), []);
		assert.deepEqual(trigger({ type: "schedule" }), ["never_fires trigger.cron"]);
		assert.deepEqual(trigger({ type: "schedule", cron: "0 0 30 2 *" }), ["bad_cron trigger.cron"]);
		assert.deepEqual(trigger({ type: "schedule", cron: "* * * * * *" }), ["bad_cron trigger.cron"]);
		assert.deepEqual(trigger({ type: "schedule", cron: "2026-01-01T00:00:00Z" }), ["bad_cron trigger.cron"]);
		assert.deepEqual(trigger({ type: "webhook", cron: "@daily" }), ["bad_cron trigger.cron"]);
		assert.deepEqual(trigger({ type: "schedule", cron: "@daily", timezone: "Mars" }), [
			"bad_timezone trigger.timezone",
		]);
		assert.deepEqual(trigger({ type: "event", event: "order.*x" }), ["bad_event trigger.event"]);
		assert.deepEqual(trigger({ type: "event" }), ["never_fires trigger.event"]);
		assert.deepEqual(trigger({ type: "webhook", event: "a" }), ["bad_event trigger.event"]);
	});

	test("warns about missing credentials wherever they are named", () => {
		const json = {
			triplets: ["input >> then >> a"],
			config: {
				a: {
					component: "http_request",
					url: "https://example.com",
					credential: "api",
					headers: { x: "{{credential.known}} {{ credential.other.token }} credential.text" },
				},
			},
			options: { signature: { scheme: "github", credential: "hook" } },
		};
		const result = compileJson(
			json,
			new Map([["known", { auth_recipe: "bearer_token", fields: ["token"] }]]),
		);
		assert.deepEqual(listDiagnostics(result), [
			"missing_credential config.a.credential",
			"missing_credential config.a.headers.x",
			"missing_credential options.signature.credential",
		]);
		assert.ok(result.plan !== null);
		assert.deepEqual(listDiagnostics(compileJson(json)), []);
	});

	test("warns if a component needs a credential and none is set", () => {
		const result = flow(["input >> then >> a"], { a: { component: "desk.get" } });
		assert.deepEqual(listDiagnostics(result), ["missing_credential config.a.component"]);
		assert.match(result.diagnostics[0]?.message ?? "", /needs a credential of desk_key, but none is set/);
		assert.ok(result.plan !== null);
		assert.deepEqual(
			listDiagnostics(flow(["input >> then >> a"], { a: { component: "desk.get", credential: "x" } })),
			[],
		);
	});

	test("warns of no missing credential if a parameter takes its place", () => {
		const read = (params: object) =>
			listDiagnostics(flow(["input >> then >> a"], { a: { component: "desk.read", ...params } }));
		assert.deepEqual(read({}), ["missing_credential config.a.component"]);
		assert.deepEqual(read({ file: "/srv/desk.db" }), []);
	});

	test("rejects credentials in components without outbound calls", () => {
		assert.deepEqual(
			listDiagnostics(
				flow(["input >> then >> a"], { a: { credential: "api", values: { x: "{{credential.api}}" } } }),
			),
			["credential_not_allowed config.a.credential", "credential_not_allowed config.a.values.x"],
		);
	});

	test("rejects a timeout of a node that may wait for longer than a process lives", () => {
		const triplets = ["input >> then >> pause"];
		const pause = { component: "wait", for: "{{input.days}} days", timeout_ms: 1_000 };
		const result = flow(triplets, { pause });
		assert.deepEqual(listDiagnostics(result), ["timeout_not_allowed config.pause.timeout_ms"]);
		const [{ message, hint } = {}] = result.diagnostics;
		assert.equal(message, '"pause" takes no timeout_ms of its own, because to wait is its purpose');
		assert.match(hint ?? "", /options\.timeout limits the whole run/);
		for (const fine of [
			{ component: "wait", for: "3 days", retry: { max: 1 } },
			{ component: "wait", ms: 10, timeout_ms: 1_000 },
		])
			assert.deepEqual(listDiagnostics(flow(triplets, { pause: fine })), []);
	});

	test("rejects it in the graph form too", () => {
		const node = { id: "pause", component: "wait", params: { for: "3 days" }, timeout_ms: 1_000 };
		assert.deepEqual(listDiagnostics(compileJson({ graph: { nodes: [node], edges: [] } })), [
			"timeout_not_allowed graph.nodes.0.timeout_ms",
		]);
	});
});
