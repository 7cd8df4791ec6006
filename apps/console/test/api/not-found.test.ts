import assert from "node:assert/strict";
import { test } from "node:test";
import { isNotFound, resolveDeletion } from "../../src/api/not-found.ts";

const createAnswer = (status: number, answer: object = {}) =>
	Object.assign(new Error("said by the service"), { status, answer });

test("treats 404 as not found", () => {
	assert.equal(isNotFound(createAnswer(404)), true);
});

test("treats a malformed ID as not found", () => {
	const issues = [{ path: "id", message: "Invalid UUID" }];
	assert.equal(isNotFound(createAnswer(422, { issues })), true);
});

test("does not treat other validation errors as not found", () => {
	const issues = [{ path: "id" }, { path: "content" }];
	assert.equal(isNotFound(createAnswer(422, { issues })), false);
	assert.equal(isNotFound(createAnswer(422)), false);
});

test("does not treat server errors as not found", () => {
	assert.equal(isNotFound(createAnswer(503)), false);
	assert.equal(isNotFound(new Error("not reached")), false);
	assert.equal(isNotFound(null), false);
});

test("reports a completed deletion", async () => {
	assert.equal(await resolveDeletion(Promise.resolve({})), true);
});

test("reports an item that was already deleted", async () => {
	assert.equal(await resolveDeletion(Promise.reject(createAnswer(404))), false);
});

test("throws if the deletion fails", async () => {
	await assert.rejects(resolveDeletion(Promise.reject(createAnswer(503))), /said by the service/);
});
