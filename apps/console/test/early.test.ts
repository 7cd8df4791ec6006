import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { askEarly, getEarlyAnswer, takeEarly, waitForEarlyAnswers } from "../src/api/early.ts";
import { SESSION_URL } from "../src/api/first-requests.ts";

const OVERVIEW_URL = "/gui/overview?hours=24";

const { fetch } = globalThis;
const requests: string[] = [];

function serveAnswers(answer: (url: string) => Response): void {
	globalThis.fetch = async (url, init) => {
		requests.push(`${url} ${new Headers(init?.headers).get("authorization")}`);
		return answer(String(url));
	};
}

const at = (pathname: string, search = "") => ({ pathname, search }) as Location;

afterEach(() => {
	globalThis.fetch = fetch;
	globalThis.tripline = undefined;
	requests.length = 0;
});

test("requests the session on every page, and the overview's data on the overview", () => {
	serveAnswers(() => Response.json({}));
	for (const place of [
		at("/console"),
		at("/console/"),
		at("/console", "?range=week"),
		at("/console/settings"),
	])
		askEarly("t", place);
	assert.deepEqual(requests, [
		"/gui/session Bearer t",
		"/gui/overview?hours=24 Bearer t",
		"/gui/session Bearer t",
		"/gui/overview?hours=24 Bearer t",
		"/gui/session Bearer t",
		"/gui/session Bearer t",
	]);
});

test("provides a response once it has arrived, and hands it out once", async () => {
	serveAnswers((url) => Response.json({ url }));
	askEarly("t", at("/console"));
	assert.equal(getEarlyAnswer(SESSION_URL, "t"), undefined);
	const taken = takeEarly(OVERVIEW_URL, "t");
	assert.deepEqual(await taken, { url: "/gui/overview?hours=24" });
	assert.equal(takeEarly(OVERVIEW_URL, "t"), undefined);
	assert.deepEqual(getEarlyAnswer(SESSION_URL, "t"), { url: "/gui/session" });
});

test("does not provide a response for another token", async () => {
	serveAnswers(() => Response.json({ namespace: "a" }));
	askEarly("of a", at("/console/callback"));
	await globalThis.tripline?.early[SESSION_URL]?.answer;
	assert.equal(getEarlyAnswer(SESSION_URL, "of b"), undefined);
	assert.equal(takeEarly(SESSION_URL, "of b"), undefined);
	assert.equal(takeEarly(SESSION_URL, "of a"), undefined);
	assert.equal(getEarlyAnswer(SESSION_URL, undefined), undefined);
});

test("ignores an error response", async () => {
	serveAnswers(() => Response.json({ error: "no" }, { status: 401 }));
	askEarly("t", at("/console"));
	await assert.rejects(takeEarly(SESSION_URL, "t") ?? assert.fail(), /returned 401/);
	assert.equal(getEarlyAnswer(OVERVIEW_URL, "t"), undefined);
});

test("waits for all responses, including errors", async () => {
	serveAnswers((url) => Response.json({ url }, { status: url === "/gui/session" ? 503 : 200 }));
	askEarly("t", at("/console"));
	await waitForEarlyAnswers(60_000);
	assert.equal(getEarlyAnswer(SESSION_URL, "t"), undefined);
	assert.deepEqual(getEarlyAnswer(OVERVIEW_URL, "t"), { url: "/gui/overview?hours=24" });
});

test("stops waiting after the time limit", async () => {
	globalThis.fetch = () => new Promise(() => {});
	askEarly("t", at("/console"));
	await waitForEarlyAnswers(5);
	assert.equal(getEarlyAnswer(SESSION_URL, "t"), undefined);
});

test("provides nothing without early requests", () => {
	assert.equal(getEarlyAnswer(SESSION_URL, undefined), undefined);
	assert.equal(takeEarly(SESSION_URL, "t"), undefined);
});
