import assert from "node:assert/strict";
import { test } from "node:test";
import { collectFieldProblems, findNameProblem } from "../../src/pages/credentials/form-check.ts";

const createRefusal = (issues: { path: string; message: string }[]): Error =>
	Object.assign(new Error("invalid request"), { answer: { error: "invalid request", issues } });

test("accepts names in any script", () => {
	assert.equal(findNameProblem("我的 CI", []), null);
});

test("rejects names that are empty, too long, taken or contain invalid characters", () => {
	assert.equal(findNameProblem(" ", []), "empty");
	assert.equal(findNameProblem("x".repeat(129), []), "long");
	assert.equal(findNameProblem("a/b", []), "characters");
	assert.equal(findNameProblem("..", []), "characters");
	assert.equal(findNameProblem(" a", []), "characters");
	assert.equal(findNameProblem("gh", ["gh"]), "taken");
});

test("shows a field error at its field", () => {
	const found = collectFieldProblems(createRefusal([{ path: "fields.token", message: "is short" }]), [
		"token",
	]);
	assert.deepEqual(found, { fields: { token: "is short" }, form: null });
});

test("shows an error of all fields at the host field, if there is one", () => {
	const issue = { path: "fields", message: "name no host" };
	assert.deepEqual(collectFieldProblems(createRefusal([issue]), ["host", "token"]).fields, {
		host: "name no host",
	});
	assert.equal(collectFieldProblems(createRefusal([issue]), ["token"]).form?.message, "fields name no host");
});

test("shows other errors at the form", () => {
	const error = new Error("the store is full");
	assert.deepEqual(collectFieldProblems(error, ["token"]), { fields: {}, form: error });
	assert.deepEqual(collectFieldProblems(null, ["token"]), { fields: {}, form: null });
});
