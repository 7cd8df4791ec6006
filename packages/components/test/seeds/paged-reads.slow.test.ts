import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { setValueAt } from "../../src/http-request/place.ts";
import { apiRecipes } from "../../src/seeds/seeds.ts";
import { checkRequest } from "./check-request.ts";
import { type Double, openDouble } from "./double.ts";
import type { Exchange } from "./exchange.ts";
import type { PagedRead } from "./paged-read.ts";
import { pagedReads } from "./paged-reads.ts";
import { exchanges } from "./requests.ts";
import { createOutboundWith, runOperation } from "./run-recipe.ts";

let double: Double;
before(async () => {
	double = await openDouble();
});
after(() => double.close());

const findExchange = (component: string): Exchange =>
	exchanges.find((exchange) => exchange.component === component) ?? assert.fail(component);

const respond = (answer: Json, headers: Readonly<Record<string, string>> = {}): Exchange["response"] => ({
	status: 200,
	headers: { "content-type": "application/json", ...headers },
	body: JSON.stringify(answer),
});

function readAll({ component, params, pages }: Omit<PagedRead, "items">) {
	const { authRecipe, fields } = findExchange(component);
	double.answer(
		pages.map(({ answer, answerHeaders }) => respond(answer, answerHeaders)),
		fields.scope,
	);
	const http = createOutboundWith(double.send, authRecipe, fields);
	return runOperation(component, { ...params, paginate: "all" }, http);
}

test("the table has every operation with pages", () => {
	const paged = apiRecipes.flatMap(({ id, operations }) =>
		Object.entries(operations).flatMap(([name, { paginate }]) => (paginate ? [`${id}.${name}`] : [])),
	);
	assert.deepEqual(pagedReads.map(({ component }) => component).sort(), paged.sort());
	const short = pagedReads.filter(({ pages }) => pages.length < 3).map(({ component }) => component);
	assert.deepEqual(short, []);
});

describe("a bundled operation reads all pages as in the service's documentation", () => {
	for (const read of pagedReads) {
		test(read.component, async () => {
			assert.deepEqual(await readAll(read), { output: read.items });
			assert.equal(double.seen.length, read.pages.length);
			const exchange = findExchange(read.component);
			for (const [index, { sends, json }] of read.pages.entries()) {
				const [method = "", url = ""] = sends.split(" ");
				const body = json === undefined ? null : { json };
				const seen = { ...assertSeen(index), bytes: double.bodies[index] as Buffer };
				checkRequest(seen, { ...exchange, request: { ...exchange.request, method, url, body } });
			}
		});
	}
});

const assertSeen = (index: number) => double.seen[index] ?? assert.fail(`there was no request ${index}`);

describe("a link to another host is not followed", () => {
	const evil = "https://evil.example/next?page=2";
	const byLink = apiRecipes.flatMap(({ id, operations }) =>
		Object.entries(operations).flatMap(([name, { paginate }]) =>
			paginate?.by === "link" ? [{ component: `${id}.${name}`, url: paginate.url }] : [],
		),
	);
	for (const { component, url } of byLink) {
		test(component, async () => {
			const { params, pages } = pagedReads.find((read) => read.component === component) ?? assert.fail();
			const [first = assert.fail()] = pages;
			const page =
				url === undefined
					? { ...first, answerHeaders: { link: `<${evil}>; rel="next"` } }
					: { ...first, answer: setValueAt(first.answer, url, evil) };
			const outcome = await readAll({ component, params, pages: [page] });
			assert.ok("error" in outcome);
			assert.match(outcome.error, /evil\.example/);
			assert.equal(double.seen.length, 1);
		});
	}
});

test("Google's answer without a list has no items", async () => {
	for (const component of ["gmail.search_messages", "google_contacts.list_contacts"]) {
		const pages = [{ sends: "", answer: { resultSizeEstimate: 0 } }];
		assert.deepEqual(await readAll({ component, params: {}, pages }), { output: [] });
	}
});
