import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldProblems, nameProblem } from "../../src/pages/credentials/form-check.ts";

const refused = (issues: { path: string; message: string }[]): Error =>
	Object.assign(new Error("invalid request"), { answer: { error: "invalid request", issues } });

test("accepts names in any script", () => {
	assert.equal(nameProblem("我的 CI", []), null);
});

test("rejects names that are empty, too long, taken or contain invalid characters", () => {
	assert.equal(nameProblem(" ", []), "empty");
	assert.equal(nameProblem("x".repeat(129), []), "long");
	assert.equal(nameProblem("a/b", []), "characters");
	assert.equal(nameProblem("..", []), "characters");
	assert.equal(nameProblem(" a", []), "characters");
	assert.equal(nameProblem("gh", ["gh"]), "taken");
});

test("shows a field error at its field", () => {
	const found = fieldProblems(refused([{ path: "fields.token", message: "is short" }]), ["token"]);
	assert.deepEqual(found, { fields: { token: "is short" }, form: null });
});

test("shows an error of all fields at the host field, if there is one", () => {
	const issue = { path: "fields", message: "name no host" };
	assert.deepEqual(fieldProblems(refused([issue]), ["host", "token"]).fields, { host: "name no host" });
	assert.equal(fieldProblems(refused([issue]), ["token"]).form?.message, "fields name no host");
});

test("shows other errors at the form", () => {
	const error = new Error("the store is full");
	assert.deepEqual(fieldProblems(error, ["token"]), { fields: {}, form: error });
	assert.deepEqual(fieldProblems(null, ["token"]), { fields: {}, form: null });
});
