import assert from "node:assert/strict";
import { test } from "node:test";
import { SavedWorkflow, Validation } from "@tripline/contract/executor";
import { start } from "../../apps/node/test/process.ts";
import { type Client, createClient, forEachItem, JSON_TYPE, tenant, YAML_TYPE } from "./client.ts";
import { type RandomDocument, randomDocuments } from "./random-documents.ts";
import { assertDocumented, type DescribedRoute, isFailedRun, readRoutes } from "./routes.ts";

const COUNT = 10_000;
const SEED = 20_260_701;
/** Internal error texts that leak from code that did not expect its input. */
const INTERNALS =
	/\[object |TypeError|is not a function|cannot read propert|call stack|regular expression: /i;
const OWNER = "validate";

let client: Client;
let routes: readonly DescribedRoute[];

test(`each of ${COUNT} random documents gets a diagnosis or can be saved and run`, async (context) => {
	// In a separate process, so that test and service share the work of ten thousand requests.
	const service = await start(context, { LOG_LEVEL: "silent", RUN_TIMEOUT_MS: "200" });
	client = createClient(() => service.publicUrl);
	context.after(() => client.close());
	routes = await readRoutes(client);
	const seen = { valid: 0, invalid: 0, unread: 0, failed: 0 };
	await forEachItem(randomDocuments(SEED, COUNT), async (document) => {
		const answer = await post("/workflows/validate", document);
		const about = `${document.isYaml ? "YAML" : "JSON"} ${JSON.stringify(document.text)}`;
		assertDocumented(findRoute("/workflows/validate"), answer, about);
		if (answer.status !== 200) {
			assert.equal(answer.status, 400, about);
			assert.ok(!document.isYaml && isUnreadable(document.text), about);
			seen.unread++;
			return;
		}
		const { valid, diagnostics } = Validation.parse(answer.body);
		for (const { message, path } of diagnostics) {
			assert.ok(message.length > 0 && typeof path === "string", about);
			assert.doesNotMatch(message, INTERNALS, about);
		}
		const isWrong = diagnostics.some(({ severity }) => severity === "error");
		assert.equal(valid, !isWrong, about);
		if (!valid) {
			seen.invalid++;
			return;
		}
		seen.valid++;
		await assertSavesAndRuns(document, about);
	});
	context.diagnostic(JSON.stringify(seen));
	assert.ok(seen.valid > COUNT / 20, `only ${seen.valid} were valid`);
	assert.equal((await client.call("GET", "/readyz")).status, 200);

	async function assertSavesAndRuns(document: RandomDocument, about: string): Promise<void> {
		const saved = await post("/workflows", document);
		assert.ok(saved.status === 200 || saved.status === 201, `${saved.status} ${saved.text} ${about}`);
		const name = encodeURIComponent(SavedWorkflow.parse(saved.body).name);
		const run = await client.call("POST", `/webhooks/named/${name}/trigger`, {
			headers: [...tenant(OWNER), ...JSON_TYPE],
			body: '{"a":2,"orders":[{"id":1}]}',
		});
		assertDocumented(findRoute("/webhooks/named/{name}/trigger"), run, about);
		if (isFailedRun(run)) seen.failed++;
	}
});

const post = (path: string, { text, isYaml }: RandomDocument) =>
	client.call("POST", path, { headers: [...tenant(OWNER), ...(isYaml ? YAML_TYPE : JSON_TYPE)], body: text });

function findRoute(wanted: string): DescribedRoute {
	const found = routes.find(({ method, path }) => method === "POST" && path === wanted);
	assert.ok(found, wanted);
	return found;
}

function isUnreadable(text: string): boolean {
	try {
		// An unpaired surrogate does not arrive as it was sent.
		return JSON.parse(text.toWellFormed()) === null;
	} catch {
		return true;
	}
}
