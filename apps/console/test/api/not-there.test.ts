import assert from "node:assert/strict";
import { test } from "node:test";
import { isNotThere, wasThere } from "../../src/api/not-there.ts";

const answered = (status: number, answer: object = {}) =>
	Object.assign(new Error("said by the service"), { status, answer });

test("what the service does not find is not there", () => {
	assert.equal(isNotThere(answered(404)), true);
});

test("under an id that is none there can be nothing", () => {
	const issues = [{ path: "id", message: "Invalid UUID" }];
	assert.equal(isNotThere(answered(422, { issues })), true);
});

test("a request that is wrong otherwise says nothing of what is there", () => {
	const issues = [{ path: "id" }, { path: "content" }];
	assert.equal(isNotThere(answered(422, { issues })), false);
	assert.equal(isNotThere(answered(422)), false);
});

test("a service that fails says nothing of what is there", () => {
	assert.equal(isNotThere(answered(503)), false);
	assert.equal(isNotThere(new Error("not reached")), false);
	assert.equal(isNotThere(null), false);
});

test("a deletion that is done found something", async () => {
	assert.equal(await wasThere(Promise.resolve({})), true);
});

test("a deletion of what is gone is as good", async () => {
	assert.equal(await wasThere(Promise.reject(answered(404))), false);
});

test("a deletion that fails is told", async () => {
	await assert.rejects(wasThere(Promise.reject(answered(503))), /said by the service/);
});
