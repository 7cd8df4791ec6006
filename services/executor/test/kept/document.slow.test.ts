import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { CapturedStep } from "@tripline/engine/run/options";
import fc from "fast-check";
import { RunCapture } from "../../src/kept/capture.ts";
import { buildDocument, cutValue } from "../../src/kept/document.ts";
import { createMask } from "../../src/kept/mask.ts";

const KIB = 1024;

function capture(input: Json, steps: readonly Partial<CapturedStep>[]): RunCapture {
	const captured = new RunCapture(input);
	for (const step of steps)
		captured.record({ id: "node", place: "", attempt: 1, status: "success", duration_ms: 1, ...step });
	return captured;
}

const build = async (captured: RunCapture, more: object = {}) => {
	const run = {
		id: "1",
		workflow: "w",
		versionNumber: undefined,
		version: null,
		trigger: "named",
		time: "2026-11-01T12:00:00.000Z",
		request: undefined,
		graph: { nodes: [], edges: [] },
		context: {},
		capture: captured,
		...more,
	};
	return buildDocument(run, await createMask(captured.secrets));
};

describe("cutting a value", () => {
	test("a value that fits stays, and a larger one is cut between two characters", () => {
		assert.deepEqual(cutValue({ a: "é" }, 10), { value: { json: { a: "é" } }, bytes: 10 });
		assert.deepEqual(cutValue({ a: "é" }, 9).value, { text: '{"a":"é"', bytes: 10 });
		assert.deepEqual(cutValue({ a: "é" }, 7).value, { text: '{"a":"', bytes: 10 });
		assert.deepEqual(cutValue("long", 0).value, { text: "", bytes: 6 });
	});

	test("what is cut is the beginning of the value's JSON and at most as long as allowed", () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.nat(200), (value, max) => {
				const json = JSON.stringify(value);
				const { value: kept } = cutValue(value as Json, max);
				if ("json" in kept) assert.ok(Buffer.byteLength(json) <= max);
				else {
					assert.ok(json.startsWith(kept.text));
					assert.ok(Buffer.byteLength(kept.text) <= max && Buffer.byteLength(kept.text) > max - 4);
					assert.equal(kept.bytes, Buffer.byteLength(json));
				}
			}),
		);
	});
});

describe("what is kept of a run", () => {
	test("takes at most 1 MiB, and elements that failed come first", async () => {
		const elements = Array.from({ length: 60 }, (_, index) => ({
			place: String(index),
			output: "x".repeat(40 * KIB),
		}));
		const failed = { id: "failing", place: "55", status: "failed" as const, error: "no", output: undefined };
		const document = await build(capture({ a: 1 }, [...elements, failed]));
		assert.ok(JSON.stringify(document).length <= 1100 * KIB);
		const read = (place: string) => document.steps.find((step) => step.place === place)?.output ?? {};
		assert.ok("json" in read("55"), "an element that failed");
		assert.ok("json" in read("0"), "the first element");
		assert.deepEqual(read("59"), { text: "", bytes: 40 * KIB + 2 });
		assert.equal(document.isCut, true);
		assert.deepEqual(
			document.steps.map(({ place }) => place),
			[...elements.map(({ place }) => place), "55"],
		);
	});

	test("is small enough for a row of D1, whatever its values contain", async () => {
		for (const character of ['"', "\\", "\u0000", "é", "字", "😀", "\ud800"]) {
			const steps = Array.from({ length: 40 }, (_, index) => ({
				place: String(index),
				output: character.repeat(100 * KIB),
			}));
			const document = await build(capture(character.repeat(100 * KIB), steps), {
				request: { query: character.repeat(100 * KIB) },
			});
			const bytes = Buffer.byteLength(JSON.stringify(document));
			assert.ok((bytes * 4) / 3 < 1_900_000, `${JSON.stringify(character)}: ${bytes}`);
		}
	});

	test("leaves a document out that is too large, and its nodes stay", async () => {
		const params = { text: "x".repeat(70 * KIB) };
		const graph = { nodes: [{ id: "node", component: "template", params }], edges: [] };
		const document = await build(capture({}, [{ output: 1 }]), { graph });
		assert.equal(document.definition, undefined);
		assert.equal(document.steps.length, 1);
	});
});

describe("masking secrets", () => {
	const SECRET = 'sk-Mask+9f8e/7d6c="5b4a';

	test("replaces them by the name of their credential in keys, values, numbers and errors", async () => {
		const captured = capture({ [SECRET]: [`a ${SECRET} b`] }, [
			{ output: { n: 12345678, base64: btoa(`user:${SECRET}`), url: encodeURIComponent(SECRET) } },
			{ status: "failed", error: `the host says ${SECRET}`, output: undefined },
		]);
		captured.addSecrets("my key", [SECRET]);
		captured.addSecrets("my key", ["issued-token"]);
		captured.addSecrets("pin", ["12345678"]);
		const document = await build(captured, { request: { query: { t: "issued-token" } } });
		assert.deepEqual(document.input, { json: { "{{credential.my key}}": ["a {{credential.my key}} b"] } });
		assert.deepEqual(document.request, { json: { query: { t: "{{credential.my key}}" } } });
		const [first, second] = document.steps;
		assert.ok(first?.output !== undefined && "json" in first.output);
		const { n, base64, url } = first.output.json as Record<string, string>;
		assert.deepEqual([n, url], ["{{credential.pin}}", "{{credential.my key}}"]);
		assert.match(base64 ?? "", /^dXNlcj\{\{credential\.my key\}\}=*$/);
		assert.equal(second?.error, "the host says {{credential.my key}}");
	});

	test("a secret that is cut in half leaves nothing of itself", async () => {
		const text = "x".repeat(64 * KIB - 12) + SECRET;
		const captured = capture({}, [{ output: text }]);
		captured.addSecrets("key", [SECRET]);
		const [step] = (await build(captured)).steps;
		assert.ok(step?.output !== undefined && "text" in step.output);
		assert.ok(!step.output.text.includes("sk-"), step.output.text.slice(-40));
		assert.ok(step.output.text.endsWith("x{{credentia"));
	});

	test("replaces one that was written into the document", async () => {
		const captured = capture({}, []);
		captured.addSecrets("key", [SECRET]);
		const graph = { nodes: [{ id: "a", component: "template", params: { text: SECRET } }], edges: [] };
		const { definition } = await build(captured, { graph, context: { text: `is ${SECRET}` } });
		assert.equal(definition?.graph.nodes[0]?.params.text, "{{credential.key}}");
		assert.deepEqual(definition?.context, { text: "is {{credential.key}}" });
	});

	test("changes nothing where no credential was used", async () => {
		const document = await build(capture({ a: SECRET }, []));
		assert.deepEqual(document.input, { json: { a: SECRET } });
	});
});
