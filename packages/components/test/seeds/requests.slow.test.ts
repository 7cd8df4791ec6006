import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isFileValue } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import { apiRecipes } from "../../src/seeds/seeds.ts";
import { checkRequest } from "./check-request.ts";
import { type Double, openDouble, type SeenRequest } from "./double.ts";
import type { Exchange } from "./exchange.ts";
import { exchanges } from "./requests.ts";
import { createOutboundWith, findComponent, runOperation } from "./run-recipe.ts";
import { tenantFiles } from "./test-files.ts";

let double: Double;
before(async () => {
	double = await openDouble();
});
after(() => double.close());

test("the table has one call of every operation", () => {
	const operations = apiRecipes.flatMap(({ id, operations }) =>
		Object.keys(operations).map((name) => `${id}.${name}`),
	);
	assert.deepEqual(exchanges.map(({ component }) => component).sort(), operations.sort());
});

describe("a bundled operation sends a request as in the service's documentation, and returns its response", () => {
	for (const exchange of exchanges) {
		test(exchange.component, async () => {
			double.answer(exchange.response, exchange.fields.scope);
			const http = createOutboundWith(double.send, exchange.authRecipe, exchange.fields);
			const outcome = await runOperation(exchange.component, exchange.params, http);
			if (exchange.outputFile === undefined) assert.deepEqual(outcome, { output: exchange.output });
			else checkFile(outcome, exchange);
			assert.equal(double.seen.length, 1);
			const [seen, bytes] = [double.seen[0] as SeenRequest, double.bodies[0] as Buffer];
			checkRequest({ ...seen, bytes }, exchange);
			const output = "output" in outcome ? outcome.output : null;
			assert.ok(findComponent(exchange.component).output.safeParse(output).success);
		});
	}
});

function checkFile(outcome: { output: Json } | { error: string }, { outputFile, response }: Exchange): void {
	assert.ok("output" in outcome && isFileValue(outcome.output), JSON.stringify(outcome));
	const { bytes = response.body, ...expected } = outputFile ?? assert.fail();
	const { name, type } = outcome.output;
	assert.deepEqual({ name, type }, expected);
	assert.deepEqual(Buffer.from(tenantFiles.bytes(outcome.output)), Buffer.from(bytes));
}
