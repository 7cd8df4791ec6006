import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { answeredEarly, askEarly, earlyAnswers, takeEarly } from "../src/api/early.ts";

const { fetch } = globalThis;
const asked: string[] = [];

function serve(answer: (url: string) => Response): void {
	globalThis.fetch = async (url, init) => {
		asked.push(`${url} ${new Headers(init?.headers).get("authorization")}`);
		return answer(String(url));
	};
}

const at = (pathname: string, search = "") => ({ pathname, search }) as Location;

afterEach(() => {
	globalThis.fetch = fetch;
	globalThis.tripline = undefined;
	asked.length = 0;
});

test("the session is asked for on every page, the overview's data on the overview", () => {
	serve(() => Response.json({}));
	for (const place of [
		at("/console"),
		at("/console/"),
		at("/console", "?range=week"),
		at("/console/settings"),
	])
		askEarly("t", place);
	assert.deepEqual(asked, [
		"/gui/session Bearer t",
		"/gui/overview?hours=24 Bearer t",
		"/gui/session Bearer t",
		"/gui/overview?hours=24 Bearer t",
		"/gui/session Bearer t",
		"/gui/session Bearer t",
	]);
});

test("an answer is known as soon as it is there, and taken once", async () => {
	serve((url) => Response.json({ url }));
	askEarly("t", at("/console"));
	assert.equal(answeredEarly("session", "t"), undefined);
	const taken = takeEarly("overview day", "t");
	assert.deepEqual(await taken, { url: "/gui/overview?hours=24" });
	assert.equal(takeEarly("overview day", "t"), undefined);
	assert.deepEqual(answeredEarly("session", "t"), { url: "/gui/session" });
});

test("what was answered to one is not told to another", async () => {
	serve(() => Response.json({ namespace: "a" }));
	askEarly("of a", at("/console/callback"));
	await globalThis.tripline?.early.session?.answer;
	assert.equal(answeredEarly("session", "of b"), undefined);
	assert.equal(takeEarly("session", "of b"), undefined);
	assert.equal(takeEarly("session", "of a"), undefined);
	assert.equal(answeredEarly("session", undefined), undefined);
});

test("an answer that is no success is none", async () => {
	serve(() => Response.json({ error: "no" }, { status: 401 }));
	askEarly("t", at("/console"));
	await assert.rejects(takeEarly("session", "t") ?? assert.fail(), /answers 401/);
	assert.equal(answeredEarly("overview day", "t"), undefined);
});

test("all answers are waited for, also those that are no success", async () => {
	serve((url) => Response.json({ url }, { status: url === "/gui/session" ? 503 : 200 }));
	askEarly("t", at("/console"));
	await earlyAnswers(60_000);
	assert.equal(answeredEarly("session", "t"), undefined);
	assert.deepEqual(answeredEarly("overview day", "t"), { url: "/gui/overview?hours=24" });
});

test("an answer that does not come is waited for no longer than a moment", async () => {
	globalThis.fetch = () => new Promise(() => {});
	askEarly("t", at("/console"));
	await earlyAnswers(5);
	assert.equal(answeredEarly("session", "t"), undefined);
});

test("where nothing was asked nothing is known", () => {
	assert.equal(answeredEarly("session", undefined), undefined);
	assert.equal(takeEarly("session", "t"), undefined);
});
