import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { apiRecipes } from "../../src/seeds/seeds.ts";
import { type Double, openDouble, type SeenRequest } from "./double.ts";
import type { Exchange } from "./exchange.ts";
import { exchanges } from "./requests.ts";
import { createOutboundWith, findComponent, runOperation } from "./run-recipe.ts";
import { checkSigV4 } from "./sigv4.ts";

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
			assert.deepEqual(outcome, { output: exchange.output });
			assert.equal(double.seen.length, 1);
			checkRequest(double.seen[0] as SeenRequest, exchange);
			assert.ok(findComponent(exchange.component).output.safeParse(exchange.output).success);
		});
	}
});

function checkRequest(seen: SeenRequest, { request, authorization, fields }: Exchange): void {
	assert.equal(`${seen.method} ${seen.url}`, `${request.method} ${request.url}`);
	if (authorization === "sigv4") checkSigV4(seen, fields);
	assert.deepEqual(authorization === "sigv4" ? omitSignature(seen.headers) : seen.headers, request.headers);
	if (request.body === null) assert.equal(seen.body, "");
	else if ("json" in request.body) assert.deepEqual(JSON.parse(seen.body), request.body.json);
	else assert.equal(seen.body, request.body.text);
}

const omitSignature = (headers: SeenRequest["headers"]) =>
	Object.fromEntries(
		Object.entries(headers).filter(([name]) => name !== "authorization" && !name.startsWith("x-amz-")),
	);
